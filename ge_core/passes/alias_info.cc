#include "ge_core/passes/alias_info.h"

#include "ge_core/ir/reference.h"

namespace ge {
namespace {

constexpr int kMaxViews = 64;

}  // namespace

bool AliasInfo::MayAliasInput(const Node& node, int i) {
  const OpDef& op = node.op();
  if (op.Has(kControlFlow)) return true;  // a subgraph may return what it was given
  if (op.Has(kView) || WritesOperand0(node)) return i == 0;
  return node.may_alias_inputs();
}

bool AliasInfo::MayWriteInput(const Node& node, int i) {
  const OpDef& op = node.op();
  if (op.Has(kSkeleton) || op.Has(kRandom)) return false;  // a random op writes the generator only
  if (WritesOperand0(node)) return i == 0;
  return !node.pure();
}

AliasInfo::AliasInfo(Graph& graph) : graph_(graph), module_(graph.module()), flags_(static_cast<size_t>(graph.value_bound())) {
  // Users come after producers in the list, so one sweep from the end sees every user first.
  for (const Node* n = graph.last(); n; n = Graph::SweepPrev(*n))
    for (int i = 0; i < n->num_inputs(); ++i)
      if (const Value* in = n->input(i)) flags_[static_cast<size_t>(in->id())] |= Contribution(*n, i);
  graph.module().AddObserver(this);
}

AliasInfo::~AliasInfo() { module_.RemoveObserver(this); }

uint8_t AliasInfo::Contribution(const Node& node, int i) const {
  if (&node == graph_.net_output()) return kEscapes;
  uint8_t flags = MayWriteInput(node, i) ? kWritten : 0;
  if (MayAliasInput(node, i))
    for (int o = 0; o < node.num_outputs(); ++o) flags |= Flags(node.output(o));
  return flags;
}

void AliasInfo::Add(const Value* value, uint8_t flags) {
  if (!(flags & ~Flags(value))) return;
  std::vector<const Value*> todo = {value};
  while (!todo.empty()) {
    const Value* v = todo.back();
    todo.pop_back();
    const auto id = static_cast<size_t>(v->id());
    if (id >= flags_.size()) flags_.resize(static_cast<size_t>(graph_.value_bound()));
    if ((flags_[id] | flags) == flags_[id]) continue;
    flags_[id] |= flags;
    const Node& producer = *v->producer();
    for (int i = 0; i < producer.num_inputs(); ++i)
      if (producer.input(i) && MayAliasInput(producer, i)) todo.push_back(producer.input(i));
  }
}

void AliasInfo::OnCreate(Node& node) {
  if (&node.graph() != &graph_) return;
  for (int i = 0; i < node.num_inputs(); ++i)
    if (node.input(i)) Add(node.input(i), Contribution(node, i));
}

void AliasInfo::OnReplace(Value& from, Value& to) {
  if (&from.producer()->graph() == &graph_) Add(&to, Flags(&from));
}

void AliasInfo::OnInput(Node& node, int index, Value*) {
  if (&node.graph() == &graph_ && index < node.num_inputs() && node.input(index)) Add(node.input(index), Contribution(node, index));
}

bool AliasInfo::Has(const Value* value, uint8_t flag) const {
  if (Flags(value) & flag) return true;
  if (!value->producer()->may_alias_inputs()) return false;  // as of most values: no list needed
  // Chains of views are short; a long one is answered carefully.
  std::vector<const Value*> todo = {value};
  for (int budget = kMaxViews; !todo.empty(); --budget) {
    if (budget == 0 || (Flags(todo.back()) & flag)) return true;
    const Node& producer = *todo.back()->producer();
    todo.pop_back();
    for (int i = 0; i < producer.num_inputs(); ++i)
      if (producer.input(i) && MayAliasInput(producer, i)) todo.push_back(producer.input(i));
  }
  return false;
}

bool AliasInfo::MayBeBorrowed(const Value* value) const {
  std::vector<const Value*> todo = {value};
  for (int budget = kMaxViews; !todo.empty(); --budget) {
    if (budget == 0) return true;
    const Node& producer = *todo.back()->producer();
    todo.pop_back();
    if (producer.op().Has(kSkeleton)) return true;
    for (int i = 0; i < producer.num_inputs(); ++i)
      if (producer.input(i) && MayAliasInput(producer, i)) todo.push_back(producer.input(i));
  }
  return false;
}

}  // namespace ge
