#include "host_kernels/array_ops/factory.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) { return Types{ValueType::Tensor(DTypeOr(ctx, ctx.input(0).dtype()), ctx.input(0).shape())}; }

struct FillLikeKernel {
  static Status Compute(const HostKernelContext& ctx) { return FillWith(ctx.node.attr("fill_value"), ctx.outputs[0], "FillLike"); }
};

}  // namespace

GE_DEFINE_OP(FillLike)
    .Doc("The value in the shape of x; of x itself only shape, dtype and strides count.")
    .Input("x")
    .Output("y")
    .Required("fill_value", AttrKind::kScalar)
    .Optional("dtype", AttrKind::kType)
    .Optional("memory_format", AttrKind::kAny)
    .Infer(Infer)
    .GE_FACTORY_ROWS("aten::full_like(x, @fill_value, @dtype, ", ", @memory_format)")
    .Aten("aten::fill.Scalar(x, @fill_value)");
REGISTER_COMPUTE_NODE_KERNEL(FillLike, FillLikeKernel);

}  // namespace ge
