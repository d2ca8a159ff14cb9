#include "ge_core/passes/cleanup/remove_unused_subgraphs_pass.h"

#include <set>
#include "ge_core/passes/pass_def.h"

namespace ge {
namespace {

void CollectReferences(const Attr& attr, std::vector<std::string>& out) {
  if (const auto* ref = attr.Get<Attr::GraphRef>()) out.push_back(ref->name);
  if (const auto* list = attr.Get<Attr::List>())
    for (const Attr& item : *list) CollectReferences(item, out);
}

}  // namespace

REG_PASS_OPTION(RemoveUnusedSubgraphsPass)
    .Name("remove-unused-subgraphs")
    .Doc("Removes subgraphs that no node names any more.")
    .Levels(OptLevel::kO1)
    .SwitchOpt("ge.oo.deadCodeElimination")
    .Make<RemoveUnusedSubgraphsPass>();

Result<bool> RemoveUnusedSubgraphsPass::Run(Graph& graph) {
  Module& module = graph.module();
  if (&graph != &module.entry() || module.graphs().size() == 1) return false;
  std::set<const Graph*> reached = {&graph};
  std::vector<const Graph*> todo = {&graph};
  while (!todo.empty()) {
    const Graph* g = todo.back();
    todo.pop_back();
    std::vector<std::string> names;
    for (const Node* n : g->nodes())
      for (const auto& [key, attr] : n->attrs()) CollectReferences(attr, names);
    for (const std::string& name : names)
      if (const Graph* sub = module.Find(name); sub && reached.insert(sub).second) todo.push_back(sub);
  }
  std::vector<Graph*> dead;
  for (const auto& g : module.graphs())
    if (!reached.contains(g.get())) dead.push_back(g.get());
  for (Graph* g : dead) module.RemoveGraph(g);
  return !dead.empty();
}

}  // namespace ge
