#include "host_kernels/array_ops/squeeze_infer.h"
#include "host_kernels/relabel.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) { return InferUnsqueeze(ctx.input(0), ctx.Ints("axis"), ctx.op.name); }

struct UnsqueezeV2Kernel {
  static Status Compute(const HostKernelContext& ctx) { return CopyBytes(ctx); }
  static Status Adjust(Graph& graph, Node& node) { return AdjustRelabelling(graph, node); }
};

}  // namespace

GE_DEFINE_OP(UnsqueezeV2)
    .Doc("As Unsqueeze, with the attribute named axis.")
    .Input("x")
    .Output("y")
    .Optional("axis", AttrKind::kInts)
    .Traits(kView)
    .Infer(Infer);
REGISTER_COMPUTE_NODE_KERNEL(UnsqueezeV2, UnsqueezeV2Kernel);

}  // namespace ge
