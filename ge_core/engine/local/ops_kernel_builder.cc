// libge_local_opskernel_builder.so.
#include "ge_core/engine/local/ops_kernel_builder.h"

#include <algorithm>

#include "ge_core/base/str.h"
#include "ge_core/engine/local/ge_deleted_op.h"
#include "ge_core/engine/local/names.h"
#include "ge_core/engine/local/open_shape.h"
#include "ge_core/engine/local/output_size.h"

GE_ENGINE_PLUGIN_ABI();
REGISTER_OPS_KERNEL_BUILDER(::ge::local::kOpStoreName, ::ge::local::GeLocalOpsKernelBuilder);

namespace ge::local {
namespace {

constexpr std::string_view kReusesInput[] = {"Bitcast",   "Flatten",   "FlattenV2", "ExpandDims",  "ReFormat",   "Squeeze",
                                             "SqueezeV2", "SqueezeV3", "Unsqueeze", "UnsqueezeV2", "UnsqueezeV3"};

}  // namespace

Result<OpRunningParam> GeLocalOpsKernelBuilder::CalcOpRunningParam(const Graph&, const Node& node) const {
  OpRunningParam param;
  if (HasOpenShape(node)) {
    param.skipped = true;
    return param;
  }
  for (int i = 0; i < node.num_outputs(); ++i) {
    GE_ASSIGN_OR_RETURN(const int64_t bytes, OutputBytes(node, i));
    param.outputs.push_back({.bytes = bytes});
  }
  if (std::ranges::find(kReusesInput, node.op().name) == std::end(kReusesInput)) return param;
  if (node.num_inputs() == 0 || !node.input(0) || node.num_outputs() == 0)
    return InvalidArgument(StrCat("'", node.name(), "' (", node.op().name, ") has no input whose memory its result could reuse"));
  param.outputs[0].reuse_input = 0;
  return param;
}

Status GeLocalOpsKernelBuilder::GenerateTask(Graph& graph, Node& node, TaskContext& context) const {
  const std::unique_ptr<Op> op = OpFactory::Create(node.op().name);
  if (!op) return Internal(StrCat(kEngineName, " has no operator ", node.op().name, " ('", node.name(), "')"));
  if (node.Is("StackPop")) graph.SetAttr(&node, kDependCompute, true);
  if (HasOpenShape(node)) graph.SetAttr(&node, kNoTask, true);
  return op->Run(node, context);
}

}  // namespace ge::local
