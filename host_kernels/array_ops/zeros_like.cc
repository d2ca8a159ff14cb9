#include "host_kernels/array_ops/factory.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) { return Types{ValueType::Tensor(DTypeOr(ctx, ctx.input(0).dtype()), ctx.input(0).shape())}; }

struct ZerosLikeKernel {
  static Status Compute(const HostKernelContext& ctx) {
    (void)ctx;
    return {};  // outputs are allocated zero-filled
  }
};

}  // namespace

GE_DEFINE_OP(ZerosLike)
    .Doc("Zeros in the shape of x; memory_format as torch.zeros_like takes it (absent: strides follow x).")
    .Input("x")
    .Output("y")
    .Optional("dtype", AttrKind::kType)
    .Optional("memory_format", AttrKind::kAny)
    .Infer(Infer)
    .GE_FACTORY_ROWS("aten::zeros_like(x, @dtype, ", ", @memory_format)")
    .Aten("aten::zero(x)");
REGISTER_COMPUTE_NODE_KERNEL(ZerosLike, ZerosLikeKernel);

}  // namespace ge
