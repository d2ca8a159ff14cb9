#include "ge_core/passes/cleanup/ctrl_edge_transfer_pass.h"

#include "ge_core/passes/cleanup/control_edges.h"
#include "ge_core/passes/pass_def.h"

namespace ge {
namespace {

// Handing edges on must not multiply them.
constexpr size_t kMaxEdges = 64;

}  // namespace

REG_PASS_OPTION(CtrlEdgeTransferPass)
    .Name("ctrl-edge-transfer")
    .Doc("Takes control edges off constants and hands them to the readers that need the order.")
    .Levels(OptLevel::kO1)
    .Make<CtrlEdgeTransferPass>();

Result<bool> CtrlEdgeTransferPass::Run(Graph& graph) {
  if (graph.num_control_edges() == 0) return false;
  bool changed = false;
  // In list order: a constant that waits for a constant sees the edges handed to it.
  for (Node* constant : graph.nodes()) {
    if (!constant->Is("Const") || (constant->control_inputs().empty() && constant->control_outputs().empty())) continue;
    const std::vector<Node*> before = constant->control_inputs(), after = constant->control_outputs();
    const auto& uses = constant->output()->uses();
    if (before.size() * (uses.size() + after.size()) > kMaxEdges) continue;
    for (Node* first : before) {
      const bool conditional = MayNotRun(*first);
      for (const Use& use : uses)
        if (conditional || (!use.user->pure() && use.user != graph.net_output())) GE_RETURN_IF_ERROR(graph.AddControlEdge(first, use.user));
      for (Node* n : after) GE_RETURN_IF_ERROR(graph.AddControlEdge(first, n));
      graph.RemoveControlEdge(first, constant);
    }
    for (Node* n : after) graph.RemoveControlEdge(constant, n);
    changed = true;
  }
  return changed;
}

}  // namespace ge
