#include "host_kernels/array_ops/squeeze_infer.h"
#include "host_kernels/relabel.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) { return InferUnsqueeze(ctx.input(0), ctx.Ints("axes"), ctx.op.name); }

struct UnsqueezeKernel {
  static Status Compute(const HostKernelContext& ctx) { return CopyBytes(ctx); }
  static Status Adjust(Graph& graph, Node& node) { return AdjustRelabelling(graph, node); }
};

}  // namespace

GE_DEFINE_OP(Unsqueeze)
    .Doc("Inserts axes of extent 1 at the listed positions of the result. ExpandDims is the canonical form for one axis.")
    .Input("x")
    .Output("y")
    .Optional("axes", AttrKind::kInts)
    .Traits(kView)
    .Infer(Infer);
REGISTER_COMPUTE_NODE_KERNEL(Unsqueeze, UnsqueezeKernel);

}  // namespace ge
