#include "ge_core/passes/cleanup/dead_code_elimination_pass.h"

#include <vector>

#include "ge_core/passes/pass_def.h"
#include "ge_core/passes/rewriter.h"

namespace ge {
namespace {

// A dead node may still stand between two nodes in a chain of control edges. Its predecessors are tied to its successors
// directly, unless that would multiply edges.
constexpr size_t kMaxBridgeEdges = 16;

}  // namespace

REG_PASS_OPTION(DeadCodeEliminationPass)
    .Name("dead-code-elimination")
    .Alias("dce")
    .Alias("PrunePass")
    .Doc("Removes pure nodes that no result and no effect depends on.")
    .Levels(OptLevel::kO1)
    .SwitchOpt("ge.oo.deadCodeElimination")
    .Make<DeadCodeEliminationPass>();

Result<bool> DeadCodeEliminationPass::Run(Graph& graph) {
  if (!graph.net_output()) return FailedPrecondition("graph '" + graph.name() + "' has no NetOutput: everything in it would be dead code");
  std::vector<bool> live(static_cast<size_t>(graph.node_bound()));
  auto is_live = [&](const Node* n) { return live[static_cast<size_t>(n->id())]; };
  auto is_root = [&](const Node* n) { return n == graph.net_output() || n->Is("Data") || !n->pure(); };
  // Users come after producers in the list, so one sweep from the end marks everything. Data edges carry life; a
  // control edge does not: waiting for a pure node that nobody reads is pointless.
  std::vector<Node*> dead;  // users first
  for (Node* n = graph.last(); n; n = Graph::SweepPrev(*n)) {
    if (!is_live(n)) {
      if (!is_root(n) && n->control_inputs().size() * n->control_outputs().size() <= kMaxBridgeEdges) {
        dead.push_back(n);
        continue;
      }
      live[static_cast<size_t>(n->id())] = true;
    }
    for (const Value* in : n->inputs())
      if (in) live[static_cast<size_t>(in->producer()->id())] = true;
  }

  for (Node* n : dead) GE_RETURN_IF_ERROR(EraseBridging(*n));
  return !dead.empty();
}

}  // namespace ge
