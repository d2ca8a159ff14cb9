#include "host_kernels/transformation_ops/permute_util.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) { return InferPermuted(ctx.input(0), ctx.Ints("perm"), ctx.op.name); }

struct TransposeDKernel {
  static Status Compute(const HostKernelContext& ctx) { return PermuteTensor(ctx, ctx.node.Ints("perm")); }
};

}  // namespace

GE_DEFINE_OP(TransposeD)
    .Doc("As Transpose with the permutation as an attribute.")
    .Input("x")
    .Output("y")
    .Required("perm", AttrKind::kInts)
    .Traits(kView)
    .Infer(Infer);
REGISTER_COMPUTE_NODE_KERNEL(TransposeD, TransposeDKernel);

}  // namespace ge
