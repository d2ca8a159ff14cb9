#include "host_kernels/transformation_ops/permute_util.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) { return InferPermuted(ctx.input(0), ctx.Ints("order"), ctx.op.name); }

struct PermuteKernel {
  static Status Compute(const HostKernelContext& ctx) { return PermuteTensor(ctx, ctx.node.Ints("order")); }
};

}  // namespace

GE_DEFINE_OP(Permute)
    .Doc("As TransposeD with the attribute named order.")
    .Input("x")
    .Output("y")
    .Optional("order", AttrKind::kInts)
    .Traits(kView)
    .Infer(Infer);
REGISTER_COMPUTE_NODE_KERNEL(Permute, PermuteKernel);

}  // namespace ge
