#include "ge_core/passes/cleanup/dead_code_elimination_pass.h"

#include <unordered_set>

namespace ge {
namespace {

// A dead node may still stand between two nodes in a chain of control edges. Its predecessors are tied to its successors
// directly, unless that would multiply edges.
constexpr size_t kMaxBridgeEdges = 16;

}  // namespace

Result<bool> DeadCodeEliminationPass::Run(Graph& graph) {
  if (!graph.net_output()) return FailedPrecondition("graph '" + graph.name() + "' has no NetOutput: everything in it would be dead code");
  std::unordered_set<const Node*> live;  // looked up only
  const std::vector<Node*> nodes = graph.NodeList();
  auto is_root = [&](const Node* n) { return n == graph.net_output() || n->Is("Data") || !n->pure(); };
  // Users come after producers in the list, so one sweep from the end marks everything. Data edges carry life; a
  // control edge does not: waiting for a pure node that nobody reads is pointless.
  for (auto it = nodes.rbegin(); it != nodes.rend(); ++it) {
    const Node* n = *it;
    if (!live.contains(n)) {
      if (!is_root(n) && n->control_inputs().size() * n->control_outputs().size() <= kMaxBridgeEdges) continue;
      live.insert(n);
    }
    for (const Value* in : n->inputs())
      if (in) live.insert(in->producer());
  }

  bool changed = false;
  for (auto it = nodes.rbegin(); it != nodes.rend(); ++it) {  // users first
    Node* n = *it;
    if (live.contains(n)) continue;
    const std::vector<Node*> before = n->control_inputs(), after = n->control_outputs();
    for (Node* b : after) graph.RemoveControlEdge(n, b);
    for (Node* a : before)
      for (Node* b : after) GE_RETURN_IF_ERROR(graph.AddControlEdge(a, b));
    GE_RETURN_IF_ERROR(graph.Erase(n));
    changed = true;
  }
  return changed;
}

}  // namespace ge
