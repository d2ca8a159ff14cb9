#include "ge_core/passes/layout/winograd_pass.h"

#include <algorithm>

#include "ge_core/ir/algorithm.h"
#include "ge_core/ir/fused_region.h"
#include "ge_core/passes/constant_stage.h"
#include "ge_core/passes/pass_context.h"
#include "ge_core/passes/pass_def.h"

namespace ge {

REG_PASS_OPTION(WinogradPass)
    .Name("winograd")
    .Doc("Convolutions of 3 x 3 filters are computed by Winograd's minimal filtering where their engine does so faster.")
    .Tolerance()
    .Graph([](const PassContext& c) -> std::unique_ptr<GraphPass> {
      if (c.engines.empty()) return nullptr;
      return std::make_unique<WinogradPass>(c.engines);
    });

Result<bool> WinogradPass::Run(Graph& graph) {
  if (IsRegionBody(graph)) return false;
  const ConstantStage stage(graph);
  bool changed = false;
  for (Node* node : graph.nodes()) {
    if (!node->Is("Conv2D") || !stage.AtCall(*node) || !node->attr(kAlgorithmMark).IsNone()) continue;
    if (node->num_inputs() < 2 || !node->input(1) || !stage.Known(*node->input(1)->producer())) continue;
    const auto engine = std::ranges::find_if(engines_, [&](const Engine* e) { return e->Supports(*node).ok; });
    if (engine == engines_.end()) continue;
    graph.SetAttr(node, kAlgorithmMark, Attr(std::string(kWinograd)));
    // An engine that knows nothing of the mark would take the node as before: only a wish for another layout says that it does.
    const bool understood = (*engine)->Supports(*node).ok && std::ranges::any_of((*engine)->Preferences(*node), [&](const LayoutPreference& w) {
      return w.side == LayoutPreference::Side::kInput && w.operand == 1 && w.layout.kind == StorageLayout::Kind::kPacked;
    });
    if (understood)
      changed = true;
    else
      graph.RemoveAttr(node, kAlgorithmMark);
  }
  return changed;
}

}  // namespace ge
