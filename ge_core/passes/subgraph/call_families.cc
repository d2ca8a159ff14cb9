#include "ge_core/passes/subgraph/call_families.h"

#include <algorithm>

#include "ge_core/base/str.h"

namespace ge {
namespace {

void Collect(const Attr& attr, std::vector<std::string>& out) {
  if (const auto* ref = attr.Get<Attr::GraphRef>()) out.push_back(ref->name);
  if (const auto* list = attr.Get<Attr::List>())
    for (const Attr& item : *list) Collect(item, out);
}

std::vector<std::string> References(const Node& node) {
  std::vector<std::string> out;
  for (const auto& [key, attr] : node.attrs()) Collect(attr, out);
  return out;
}

bool IsUnderstood(const Node& call) { return call.Is("If") || call.Is("While") || call.Is("PartitionedCall"); }

bool Fits(const Node& call, const Graph& graph) {
  return graph.net_output() && static_cast<size_t>(call.num_inputs() - FirstArgument(call)) == graph.inputs().size() &&
         (call.Is("While") || call.num_outputs() == graph.net_output()->num_inputs());
}

std::vector<Value*> Without(std::span<Value* const> all, const std::vector<int>& removed, int offset = 0) {
  std::vector<Value*> out;
  for (size_t i = 0; i < all.size(); ++i)
    if (!std::binary_search(removed.begin(), removed.end(), static_cast<int>(i) - offset)) out.push_back(all[i]);
  return out;
}

}  // namespace

std::map<std::string, int, std::less<>> CountReferences(const Module& module) {
  std::map<std::string, int, std::less<>> out;
  for (const auto& graph : module.graphs())
    for (const Node* n : graph->nodes())
      for (const std::string& name : References(*n)) ++out[name];
  return out;
}

int FirstArgument(const Node& call) { return call.Is("If") ? 1 : 0; }

std::vector<CallFamily> CallFamilies(Module& module) {
  const auto& graphs = module.graphs();
  std::map<std::string, size_t, std::less<>> index;
  std::vector<size_t> parent(graphs.size());
  for (size_t i = 0; i < graphs.size(); ++i) index[graphs[i]->name()] = parent[i] = i;
  const auto root = [&](size_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  struct Call {
    Node* node;
    std::vector<size_t> graphs;
  };
  std::vector<Call> calls;
  for (const auto& graph : graphs)
    for (Node* n : graph->nodes()) {
      Call call{n, {}};
      for (const std::string& name : References(*n))
        if (auto it = index.find(name); it != index.end()) call.graphs.push_back(it->second);
      if (call.graphs.empty()) continue;
      for (size_t g : call.graphs) {
        const size_t a = root(call.graphs.front()), b = root(g);
        parent[std::max(a, b)] = std::min(a, b);
      }
      calls.push_back(std::move(call));
    }
  std::map<size_t, CallFamily> families;  // by root
  for (size_t i = 1; i < graphs.size(); ++i) families[root(i)].graphs.push_back(graphs[i].get());
  for (const Call& call : calls) {
    CallFamily& family = families[root(call.graphs.front())];
    family.callers.push_back(call.node);
    family.known = family.known && IsUnderstood(*call.node);
    for (size_t g : call.graphs) family.known = family.known && Fits(*call.node, *graphs[g]);
  }
  std::vector<CallFamily> out;
  for (auto& [key, family] : families)
    if (!family.callers.empty() && key != 0) out.push_back(std::move(family));
  return out;
}

Status Shrink(CallFamily& family, const std::vector<int>& parameters, const std::vector<int>& results) {
  for (Graph* graph : family.graphs) {
    for (auto it = parameters.rbegin(); it != parameters.rend(); ++it) GE_RETURN_IF_ERROR(graph->EraseInput(*it));
    // The condition of a While has results of its own.
    bool is_condition = false;
    for (const Node* call : family.callers)
      if (const auto* ref = call->attrs().Get<Attr::GraphRef>("cond")) is_condition |= ref->name == graph->name();
    if (!results.empty() && !is_condition) graph->SetOutputs(Without(graph->net_output()->inputs(), results));
  }
  for (Node*& call : family.callers) {
    Graph& graph = call->graph();
    std::vector<ValueType> types;
    std::vector<int> kept;
    for (int o = 0; o < call->num_outputs(); ++o)
      if (!std::binary_search(results.begin(), results.end(), o)) types.push_back(call->output(o)->type()), kept.push_back(o);
    AttrMap attrs = call->attrs();
    if (call->Is("While")) attrs.Set("num_carried", static_cast<int64_t>(types.size()));
    GE_ASSIGN_OR_RETURN(Node* const made, graph.Create({.op = call->op().name,
                                                        .inputs = Without(call->inputs(), parameters, FirstArgument(*call)),
                                                        .attrs = std::move(attrs),
                                                        .name = call->name(),
                                                        .loc = call->loc(),
                                                        .types = std::move(types),
                                                        .after = {}},
                                                       call));
    for (size_t k = 0; k < kept.size(); ++k)
      GE_RETURN_IF_ERROR(graph.ReplaceAllUses(call->output(kept[k]), made->output(static_cast<int>(k))));
    GE_RETURN_IF_ERROR(graph.MoveControlEdges(call, made));
    GE_RETURN_IF_ERROR(graph.Erase(call));
    call = made;
  }
  return {};
}

}  // namespace ge
