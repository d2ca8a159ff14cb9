#include "host_kernels/array_ops/factory.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) { return Types{ValueType::Tensor(DTypeOr(ctx, ctx.input(0).dtype()), ctx.input(0).shape())}; }

struct OnesLikeKernel {
  static Status Compute(const HostKernelContext& ctx) {
    if (ctx.outputs[0].num_elements() == 0) return {};
    alignas(16) std::byte element[16];
    GE_RETURN_IF_ERROR(StoreScalar(Attr(1), ctx.outputs[0].dtype(), element, "OnesLike"));
    SplatElement(ctx.outputs[0], element);
    return {};
  }
};

}  // namespace

GE_DEFINE_OP(OnesLike)
    .Doc("Ones in the shape of x.")
    .Input("x")
    .Output("y")
    .Optional("dtype", AttrKind::kType)
    .Optional("memory_format", AttrKind::kAny)
    .Infer(Infer)
    .GE_FACTORY_ROWS("aten::ones_like(x, @dtype, ", ", @memory_format)");
REGISTER_COMPUTE_NODE_KERNEL(OnesLike, OnesLikeKernel);

}  // namespace ge
