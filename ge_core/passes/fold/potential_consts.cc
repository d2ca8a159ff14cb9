#include "ge_core/passes/fold/potential_consts.h"

namespace ge {
namespace {

constexpr std::string_view kMark = "_is_potential_const", kWeight = "_potential_weight", kIndices = "_potential_weight_indices",
                           kOwner = "_source_pass_of_potential_const";

std::pair<std::string, int> KeyOf(const Node& node) { return {node.graph().name(), node.id()}; }

}  // namespace

const PotentialConsts::Mark* PotentialConsts::Find(const Node& node) const {
  if (marks_.empty()) return nullptr;
  auto it = marks_.find(KeyOf(node));
  return it == marks_.end() ? nullptr : &it->second;
}

const Tensor* PotentialConsts::Value(const ge::Value* v) const {
  if (!v) return nullptr;
  if (const Tensor* t = v->producer()->const_value()) return t->defined() ? t : nullptr;
  const Mark* mark = Find(*v->producer());
  if (!mark) return nullptr;
  for (size_t i = 0; i < mark->outputs.size() && i < mark->values.size(); ++i)
    if (mark->outputs[i] == v->index()) return &mark->values[i];
  return nullptr;
}

bool PotentialConsts::Set(const Node& node, Mark mark) {
  auto [it, fresh] = marks_.try_emplace(KeyOf(node));
  if (!fresh && (it->second.owner != mark.owner || (it->second.outputs == mark.outputs && it->second.values == mark.values))) return false;
  it->second = std::move(mark);
  return true;
}

bool PotentialConsts::SetAll(const Node& node, std::string_view owner, std::vector<Tensor> values) {
  Mark mark{.owner = std::string(owner), .outputs = {}, .values = std::move(values)};
  for (int o = 0; o < node.num_outputs(); ++o) mark.outputs.push_back(o);
  return Set(node, std::move(mark));
}

bool PotentialConsts::Clear(const Node& node, std::string_view owner) {
  auto it = marks_.find(KeyOf(node));
  if (it == marks_.end() || it->second.owner != owner) return false;
  marks_.erase(it);
  return true;
}

void PotentialConsts::Erase(const Node& node) { marks_.erase(KeyOf(node)); }

std::vector<Node*> PotentialConsts::Marked(Graph& graph) const {
  std::vector<Node*> out;
  if (marks_.empty()) return out;
  for (Node* n : graph.nodes())
    if (Find(*n)) out.push_back(n);
  return out;
}

void PotentialConsts::TakeFromAttributes(Graph& graph) {
  for (Node* n : graph.NodeList()) {
    if (!n->attrs().Bool(kMark, false)) continue;
    Mark mark{.owner = std::string(n->attrs().Str(kOwner)), .outputs = {}, .values = {}};
    for (int64_t i : n->attrs().Ints(kIndices).value_or(std::vector<int64_t>{}))
      if (i >= 0 && i < n->num_outputs()) mark.outputs.push_back(static_cast<int>(i));
    if (const auto* list = n->attrs().Get<Attr::List>(kWeight))
      for (const Attr& a : *list)
        if (const Tensor* t = a.Get<Tensor>(); t && t->defined()) mark.values.push_back(*t);
    for (std::string_view name : {kMark, kWeight, kIndices, kOwner}) graph.RemoveAttr(n, name);
    marks_.insert_or_assign(KeyOf(*n), std::move(mark));
  }
}

void PotentialConsts::WriteAsAttributes(Graph& graph) const {
  for (Node* n : Marked(graph)) {
    const Mark& mark = *Find(*n);
    Attr::List values(mark.values.begin(), mark.values.end());
    graph.SetAttr(n, kMark, true);
    graph.SetAttr(n, kWeight, std::move(values));
    graph.SetAttr(n, kIndices, Attr::Ints({mark.outputs.begin(), mark.outputs.end()}));
    graph.SetAttr(n, kOwner, mark.owner);
  }
}

}  // namespace ge
