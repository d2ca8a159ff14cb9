#include "ge_core/passes/cleanup/useless_control_edges_pass.h"

#include "ge_core/passes/cleanup/control_edges.h"
#include "ge_core/passes/pass_def.h"

namespace ge {

REG_PASS_OPTION(UselessControlEdgesPass)
    .Name("useless-control-edges")
    .Alias("UselessControlOutRemovePass")
    .Doc("Removes control edges from inputs and constants, and those that a path of other edges implies.")
    .Levels(OptLevel::kO1)
    .Make<UselessControlEdgesPass>();

Result<bool> UselessControlEdgesPass::Run(Graph& graph) {
  if (graph.num_control_edges() == 0) return false;
  bool changed = false;
  for (Node* node : graph.nodes()) {
    if (node->control_inputs().empty()) continue;
    for (Node* first : std::vector<Node*>(node->control_inputs())) {
      const bool always_there = first->op().Has(kSkeleton) && first->control_inputs().empty();
      if (!always_there && !OrderedWithoutEdge(*first, *node)) continue;
      graph.RemoveControlEdge(first, node);
      changed = true;
    }
  }
  return changed;
}

}  // namespace ge
