#include "host_kernels/shape_util.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) {
  GE_ASSIGN_OR_RETURN(ValueType y, RelabelledType(ctx));
  return Types{std::move(y)};
}

struct SnapshotKernel {
  static Status Compute(const HostKernelContext& ctx) { return CopyBytes(ctx); }
};

}  // namespace

// Only graphs from files contain it. The row is for execution: the importer takes Identity, which stands before it in ops.def.
GE_DEFINE_OP(Snapshot)
    .Doc("x as it is at this point. Values do not change in a functional graph, so it is x itself.")
    .Input("x")
    .Output("y")
    .Traits(kView)
    .Infer(Infer)
    .Aten("aten::alias(x)");
REGISTER_COMPUTE_NODE_KERNEL(Snapshot, SnapshotKernel);

}  // namespace ge
