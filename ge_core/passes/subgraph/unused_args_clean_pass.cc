#include "ge_core/passes/subgraph/unused_args_clean_pass.h"

#include "ge_core/passes/pass_def.h"
#include "ge_core/passes/subgraph/call_families.h"

namespace ge {

REG_PASS_OPTION(UnusedArgsCleanPass)
    .Name("unused-args-clean")
    .Doc("Removes parameters of subgraphs that nobody reads, and results of calls that nobody reads.")
    .Levels(OptLevel::kO1)
    .Make<UnusedArgsCleanPass>();

Result<bool> UnusedArgsCleanPass::Run(Graph& graph) {
  Module& module = graph.module();
  if (&graph != &module.entry() || module.graphs().size() == 1) return false;
  bool changed = false;
  std::vector<CallFamily> families = CallFamilies(module);
  for (CallFamily& family : families) {  // a node is in one family: making its calls anew leaves the others alone
    if (!family.known) continue;
    int carried = 0;
    bool loops = false;
    size_t num_results = family.graphs.front()->net_output()->inputs().size();
    for (const Node* call : family.callers) {
      if (call->Is("While")) loops = true, carried = std::max(carried, static_cast<int>(call->Int("num_carried")));
      num_results = std::min(num_results, static_cast<size_t>(call->num_outputs()));
    }
    std::vector<int> parameters, results;
    for (int i = carried; i < static_cast<int>(family.num_parameters()); ++i) {
      bool used = false;
      for (const Graph* g : family.graphs) {
        const Node& data = *g->inputs()[static_cast<size_t>(i)];
        used |= !data.output()->unused() || !data.control_inputs().empty() || !data.control_outputs().empty();
      }
      if (!used) parameters.push_back(i);
    }
    for (int o = 0; !loops && o < static_cast<int>(num_results); ++o) {
      bool used = false;
      for (const Node* call : family.callers) used |= !call->output(o)->unused();
      if (!used) results.push_back(o);
    }
    if (parameters.empty() && results.empty()) continue;
    GE_RETURN_IF_ERROR(Shrink(family, parameters, results));
    changed = true;
  }
  return changed;
}

}  // namespace ge
