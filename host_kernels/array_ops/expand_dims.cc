#include "host_kernels/array_ops/squeeze_infer.h"
#include "host_kernels/relabel.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) {
  const auto axis = ctx.ConstInts(1);
  if (!axis || axis->size() != 1) return Unimplemented("ExpandDims: 'axis' must be one constant integer");
  return InferUnsqueeze(ctx.input(0), *axis, ctx.op.name);
}

struct ExpandDimsKernel {
  static Status Compute(const HostKernelContext& ctx) { return CopyBytes(ctx); }
  static Status Adjust(Graph& graph, Node& node) { return AdjustRelabelling(graph, node); }
};

}  // namespace

GE_DEFINE_OP(ExpandDims)
    .Doc("Inserts one axis of extent 1 at position 'axis' of the result.")
    .Input("x")
    .Input("axis", kIndexTypes)
    .Output("y")
    .Traits(kView)
    .Infer(Infer)
    .Aten("aten::unsqueeze(x, #axis.0)");
REGISTER_COMPUTE_NODE_KERNEL(ExpandDims, ExpandDimsKernel);

}  // namespace ge
