#include "ge_core/passes/subgraph/inline_partitioned_call_pass.h"

#include <map>

#include "ge_core/passes/fold/folding_pass.h"
#include "ge_core/passes/pass_def.h"
#include "ge_core/passes/subgraph/call_families.h"
#include "ge_core/passes/subgraph/inline.h"

namespace ge {

REG_PASS_OPTION(InlinePartitionedCallPass)
    .Name("inline-partitioned-call")
    .Doc("Puts the nodes of a subgraph in the place of the one PartitionedCall that runs it.")
    .Levels(OptLevel::kO1)
    .Make<InlinePartitionedCallPass>();

Result<bool> InlinePartitionedCallPass::Run(Graph& graph) {
  Module& module = graph.module();
  if (&graph != &module.entry() || module.graphs().size() == 1) return false;
  const auto references = CountReferences(module);
  // Subgraphs come after their callers as a rule: backwards, the innermost calls go first. Where the order is another, the
  // next round takes the rest.
  std::vector<Graph*> inlined;
  for (size_t i = module.graphs().size(); i-- > 0;) {
    Graph& caller = *module.graphs()[i];
    std::vector<Node*> calls;
    for (Node* n : caller.nodes())
      if (n->Is("PartitionedCall")) calls.push_back(n);
    for (Node* call : calls) {
      Graph* callee = Callee(*call, "f");
      if (!callee || callee == &module.entry()) continue;
      auto it = references.find(callee->name());
      if (it == references.end() || it->second != 1 || !KeptByUser(*call, {}).empty() || !WhyNotInline(*call, *callee, 0).empty()) continue;
      GE_RETURN_IF_ERROR(Inline(*call, *callee, 0));
      inlined.push_back(callee);
    }
  }
  for (Graph* g : inlined) module.RemoveGraph(g);
  return !inlined.empty();
}

}  // namespace ge
