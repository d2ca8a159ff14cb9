#include "ge_core/autofuse/region.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "ge_core/base/str.h"

namespace ge {

void FindBoundary(Region& region) {
  std::ranges::sort(region.nodes, [](const Node* a, const Node* b) { return a->Before(*b); });
  const std::unordered_set<const Node*> inside(region.nodes.begin(), region.nodes.end());  // membership only
  region.inputs.clear();
  region.outputs.clear();
  for (Node* n : region.nodes) {
    for (Value* v : n->inputs())
      if (v && !inside.contains(v->producer()) && std::ranges::find(region.inputs, v) == region.inputs.end()) region.inputs.push_back(v);
    if (std::ranges::any_of(n->output()->uses(), [&](const Use& use) { return !inside.contains(use.user); }))
      region.outputs.push_back(n->output());
  }
}

namespace {

Result<Graph*> MakeBody(Graph& graph, const Region& region) {
  Module& module = graph.module();
  std::string name;
  for (size_t k = 0; name.empty() || module.Find(name); ++k) name = StrCat(graph.name(), "_fused", k);
  GE_ASSIGN_OR_RETURN(Graph* const body, module.AddGraph(name));
  std::unordered_map<const Value*, Value*> inside;  // looked up only
  for (Value* v : region.inputs) inside[v] = body->AddInput(v->type())->output();
  for (const Node* n : region.nodes) {
    std::vector<Value*> inputs;
    for (Value* v : n->inputs()) inputs.push_back(v ? inside.at(v) : nullptr);
    auto copy = body->Create({.op = n->op().name,
                              .inputs = std::move(inputs),
                              .attrs = n->attrs(),
                              .name = n->name(),
                              .loc = n->loc(),
                              .types = {n->output()->type()},
                              .after = {}});
    if (!copy.ok()) {
      module.RemoveGraph(body);
      return std::move(copy).status().Annotate("while copying a node into a fused region");
    }
    inside[n->output()] = (*copy)->output();
  }
  std::vector<Value*> results;
  for (const Value* v : region.outputs) results.push_back(inside.at(v));
  body->SetOutputs(results);
  return body;
}

}  // namespace

Result<bool> ReplaceByFusedRegion(Graph& graph, const Engine& engine, const Region& region) {
  Result<Graph*> made = MakeBody(graph, region);
  if (!made.ok()) {
    // A node whose types hang on a constant (axes, a shape) is none that can be inferred behind a region's inputs.
    if (made.code() == Code::kUnimplemented) return false;
    return std::move(made).status();
  }
  Graph* const body = *made;
  Node* last = region.nodes.back();
  std::vector<ValueType> types;
  for (const Value* v : region.outputs) types.push_back(v->type());
  GE_ASSIGN_OR_RETURN(Node* const fused, graph.Create({.op = "FusedRegion",
                                                       .inputs = region.inputs,
                                                       .attrs = {{"body", Attr::GraphRef{body->name()}}},
                                                       .name = {},
                                                       .loc = last->loc(),
                                                       .types = std::move(types),
                                                       .after = {}},
                                                      last));
  if (!engine.Supports(*fused).ok) {
    GE_RETURN_IF_ERROR(graph.Erase(fused));
    graph.module().RemoveGraph(body);
    return false;
  }
  for (size_t i = 0; i < region.outputs.size(); ++i)
    GE_RETURN_IF_ERROR(graph.ReplaceAllUses(region.outputs[i], fused->output(static_cast<int>(i))));
  for (auto it = region.nodes.rbegin(); it != region.nodes.rend(); ++it) GE_RETURN_IF_ERROR(graph.Erase(*it));
  return true;
}

}  // namespace ge
