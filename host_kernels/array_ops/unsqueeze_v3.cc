#include "host_kernels/array_ops/squeeze_infer.h"
#include "host_kernels/relabel.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) {
  const auto axes = ctx.ConstInts(1);
  if (!axes) return Unimplemented("UnsqueezeV3: 'axes' decides the rank of the result and must be constant");
  return InferUnsqueeze(ctx.input(0), *axes, ctx.op.name);
}

struct UnsqueezeV3Kernel {
  static Status Compute(const HostKernelContext& ctx) { return CopyBytes(ctx); }
  static Status Adjust(Graph& graph, Node& node) { return AdjustRelabelling(graph, node); }
};

}  // namespace

GE_DEFINE_OP(UnsqueezeV3)
    .Doc("Inserts axes of extent 1 at the positions of the result that 'axes' lists. ExpandDims is the canonical form for one axis.")
    .Input("x")
    .Input("axes", kIndexTypes)
    .Output("y")
    .Traits(kView)
    .Infer(Infer);
REGISTER_COMPUTE_NODE_KERNEL(UnsqueezeV3, UnsqueezeV3Kernel);

}  // namespace ge
