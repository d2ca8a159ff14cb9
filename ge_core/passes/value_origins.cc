#include "ge_core/passes/value_origins.h"

#include <algorithm>

#include "ge_core/base/str.h"

namespace ge {

std::string ValueOrigins::Key(std::string_view graph, std::string_view node, int index) { return StrCat(graph, "/", node, ":", index); }

OriginRecorder::OriginRecorder(Module& module, ValueOrigins& origins) : module_(module), origins_(origins) {
  for (const auto& graph : module.graphs())
    for (const Node* n : graph->nodes())
      for (int i = 0; i < n->num_outputs(); ++i) origins.of[n->output(i)] = {{graph->name(), n->name(), i, {}}};
  module.AddObserver(this);
}
OriginRecorder::~OriginRecorder() { module_.RemoveObserver(this); }

void OriginRecorder::OnErase(Node& node) {
  for (int i = 0; i < node.num_outputs(); ++i) {
    auto it = origins_.of.find(node.output(i));
    if (it == origins_.of.end()) continue;
    origins_.erased.insert_or_assign(ValueOrigins::Key(node.graph().name(), node.name(), i), std::move(it->second));
    origins_.of.erase(it);
  }
  origins_.changed_by.erase(&node);
}

void OriginRecorder::OnReplace(Value& from, Value& to) {
  auto it = origins_.of.find(&from);
  if (it == origins_.of.end()) return;
  const std::vector<ValueOrigins::Origin> gained = it->second;  // a copy: the insertion below may move it
  std::vector<ValueOrigins::Origin>& own = origins_.of[&to];
  if (origins_.changed_by.contains(to.producer())) own.clear();
  for (ValueOrigins::Origin o : gained) {
    const auto same = [&](const ValueOrigins::Origin& p) { return p.graph == o.graph && p.node == o.node && p.index == o.index; };
    if (std::any_of(own.begin(), own.end(), same)) continue;
    o.pass = pass_;
    own.push_back(std::move(o));
  }
}

void OriginRecorder::Changed(Node& node) {
  origins_.changed_by.insert_or_assign(&node, pass_);
  // The change may belong to a replacement made just before: only what the node was last said to stand for is sure.
  for (int i = 0; i < node.num_outputs(); ++i)
    if (auto it = origins_.of.find(node.output(i)); it != origins_.of.end() && it->second.size() > 1)
      it->second.erase(it->second.begin(), it->second.end() - 1);
}

void OriginRecorder::OnInput(Node& node, int, Value*) { Changed(node); }
void OriginRecorder::OnAttr(Node& node) { Changed(node); }

}  // namespace ge
