#include "host_kernels/shape_util.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) { return Types{ValueType::Tensor(ctx.input(0).dtype(), ctx.input(0).shape())}; }

struct IdentityKernel {
  static Status Compute(const HostKernelContext& ctx) { return CopyBytes(ctx); }
};

}  // namespace

GE_DEFINE_OP(Identity)
    .Doc("The same tensor: an alias of x.")
    .Input("x")
    .Output("y")
    .Traits(kView)
    .Infer(Infer)
    .Aten("aten::alias(x)")
    .Aten("aten::detach(x)")
    .Aten("aten::lift_fresh(x)");
REGISTER_COMPUTE_NODE_KERNEL(Identity, IdentityKernel);

}  // namespace ge
