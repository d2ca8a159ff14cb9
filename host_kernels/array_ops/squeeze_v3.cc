#include "host_kernels/array_ops/squeeze_infer.h"
#include "host_kernels/relabel.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) {
  if (!ctx.has_input(1)) return InferSqueeze(ctx.input(0), nullptr, ctx.op.name);
  GE_ASSIGN_OR_RETURN(const std::vector<int64_t> axes, ConstAxes(ctx, 1, ctx.input(0).rank()));
  return InferSqueeze(ctx.input(0), &axes, ctx.op.name);
}

struct SqueezeV3Kernel {
  static Status Compute(const HostKernelContext& ctx) { return CopyBytes(ctx); }
  static Status Adjust(Graph& graph, Node& node) { return AdjustRelabelling(graph, node); }
};

}  // namespace

GE_DEFINE_OP(SqueezeV3)
    .Doc("Drops the axes of extent 1 that 'axes' lists (an empty list drops none); all of them if 'axes' is absent.")
    .Input("x")
    .OptionalInput("axes", kIndexTypes)
    .Output("y")
    .Traits(kView)
    .Infer(Infer)
    .Aten("aten::squeeze(x)")
    .Aten("aten::squeeze.dims(x, #axes)")
    .Aten("aten::squeeze.dim(x, #axes.0)");
REGISTER_COMPUTE_NODE_KERNEL(SqueezeV3, SqueezeV3Kernel);

}  // namespace ge
