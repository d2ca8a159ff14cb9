#include "host_kernels/array_ops/squeeze_infer.h"
#include "host_kernels/relabel.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) {
  const std::vector<int64_t> axes = ctx.Ints("axis");
  return InferSqueeze(ctx.input(0), axes.empty() ? nullptr : &axes, ctx.op.name);
}

struct SqueezeKernel {
  static Status Compute(const HostKernelContext& ctx) { return CopyBytes(ctx); }
  static Status Adjust(Graph& graph, Node& node) { return AdjustRelabelling(graph, node); }
};

}  // namespace

GE_DEFINE_OP(Squeeze)
    .Doc("Drops the axes of extent 1 that the attribute lists; all of them if the list is empty. SqueezeV3 is the canonical form.")
    .Input("x")
    .Output("y")
    .Optional("axis", AttrKind::kInts)
    .Traits(kView)
    .Infer(Infer);
REGISTER_COMPUTE_NODE_KERNEL(Squeeze, SqueezeKernel);

}  // namespace ge
