#include "host_kernels/array_ops/factory.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) { return Types{ValueType::Tensor(DTypeOr(ctx, ctx.input(0).dtype()), ctx.input(0).shape())}; }

struct EmptyLikeKernel {
  static Status Compute(const HostKernelContext&) { return {}; }
};

}  // namespace

GE_DEFINE_OP(EmptyLike)
    .Doc("A tensor in the shape of x with unspecified content.")
    .Input("x")
    .Output("y")
    .Optional("dtype", AttrKind::kType)
    .Optional("memory_format", AttrKind::kAny)
    .Infer(Infer)
    .GE_FACTORY_ROWS("aten::empty_like(x, @dtype, ", ", @memory_format)");
REGISTER_COMPUTE_NODE_KERNEL(EmptyLike, EmptyLikeKernel);

}  // namespace ge
