#include "host_kernels/array_ops/squeeze_infer.h"
#include "host_kernels/relabel.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) {
  const std::vector<int64_t> axes = ctx.Ints("axis");
  return InferSqueeze(ctx.input(0), axes.empty() ? nullptr : &axes, ctx.op.name);
}

struct SqueezeV2Kernel {
  static Status Compute(const HostKernelContext& ctx) { return CopyBytes(ctx); }
  static Status Adjust(Graph& graph, Node& node) { return AdjustRelabelling(graph, node); }
};

}  // namespace

GE_DEFINE_OP(SqueezeV2)
    .Doc("As Squeeze: the second version of the operator, same meaning.")
    .Input("x")
    .Output("y")
    .Optional("axis", AttrKind::kInts)
    .Traits(kView)
    .Infer(Infer);
REGISTER_COMPUTE_NODE_KERNEL(SqueezeV2, SqueezeV2Kernel);

}  // namespace ge
