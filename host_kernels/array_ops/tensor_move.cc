#include "host_kernels/shape_util.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) { return Types{ValueType::Tensor(ctx.input(0).dtype(), ctx.input(0).shape())}; }

struct TensorMoveKernel {
  static Status Compute(const HostKernelContext& ctx) { return CopyBytes(ctx); }
};

}  // namespace

GE_DEFINE_OP(TensorMove)
    .Doc("A copy of x in memory of its own; memory_format as torch.clone takes it (absent: strides kept).")
    .Input("x")
    .Output("y")
    .Optional("memory_format", AttrKind::kAny)
    .Infer(Infer)
    .Aten("aten::clone(x, @memory_format)")
    .Aten("aten::lift_fresh_copy(x)");
REGISTER_COMPUTE_NODE_KERNEL(TensorMove, TensorMoveKernel);

}  // namespace ge
