#include "ge_core/passes/rewriter.h"

#include <algorithm>
#include <limits>

#include "ge_core/base/str.h"

namespace ge {
namespace {

// Tying every predecessor to every successor must not multiply control edges.
constexpr size_t kMaxBridgeEdges = 16;

bool IsReturned(const Value& v) {
  const Node* out = v.producer()->graph().net_output();
  for (const Use& use : v.uses())
    if (use.user == out) return true;
  return false;
}

}  // namespace

std::string Rewriter::WhyNotForward(const Value& from, const Value& to) const {
  if (!(from.type() == to.type())) return StrCat("its type ", ToString(from.type()), " is not that of its operand, ", ToString(to.type()));
  if (aliases_.MayBeWritten(&from) || aliases_.MayBeWritten(&to)) return "it or its operand may be written";
  const Node& node = *from.producer();
  if (node.control_inputs().size() * (node.control_outputs().size() + from.uses().size()) > kMaxBridgeEdges)
    return "it orders many nodes against many others";
  if (!node.control_outputs().empty() && to.producer()->num_outputs() > 1)
    return "nodes wait for it that could not wait for one result of its operand";
  bool shares = false;
  for (int i = 0; i < node.num_inputs(); ++i) shares |= node.input(i) && AliasInfo::MayAliasInput(node, i);
  if (shares) {
    // The same memory before and after. Only the identity of the returned tensor objects could be told apart.
    if (IsReturned(from) && (IsReturned(to) || to.producer()->op().Has(kSkeleton)))
      return "it is a result of the graph, and so is, or is an input, what it would become";
    return {};
  }
  if (aliases_.Escapes(&from) && (aliases_.Escapes(&to) || aliases_.MayBeBorrowed(&to)))
    return "it is a result of the graph with memory of its own, which its operand has not";
  return {};
}

Status EraseBridging(Node& node) {
  Graph& graph = node.graph();
  const std::vector<Node*> before = node.control_inputs(), after = node.control_outputs();
  for (Node* b : after) graph.RemoveControlEdge(&node, b);
  for (Node* a : before)
    for (Node* b : after) GE_RETURN_IF_ERROR(graph.AddControlEdge(a, b));
  return graph.Erase(&node);
}

Status Rewriter::Forward(Node& node, Value& to) {
  for (Node* before : node.control_inputs())
    for (const Use& use : node.output()->uses())
      if (use.user != graph_.net_output()) GE_RETURN_IF_ERROR(graph_.AddControlEdge(before, use.user));
  if (!to.producer()->op().Has(kSkeleton))
    for (Node* after : node.control_outputs()) GE_RETURN_IF_ERROR(graph_.AddControlEdge(to.producer(), after));
  GE_RETURN_IF_ERROR(graph_.ReplaceAllUses(node.output(), &to));
  return EraseWithOrphans(node);
}

Status Rewriter::Replace(Node& node, Node& with) {
  if (with.loc().empty()) graph_.SetLoc(&with, node.loc());
  for (int o = 0; o < node.num_outputs(); ++o) GE_RETURN_IF_ERROR(graph_.ReplaceAllUses(node.output(o), with.output(o)));
  GE_RETURN_IF_ERROR(graph_.MoveControlEdges(&node, &with));
  return graph_.Erase(&node);
}

Status Rewriter::EraseWithOrphans(Node& node) {
  std::vector<Node*> todo = {&node};
  while (!todo.empty()) {
    Node& n = *todo.back();
    todo.pop_back();
    std::vector<Node*> operands;
    for (const Value* in : n.inputs())
      if (in && std::find(operands.begin(), operands.end(), in->producer()) == operands.end()) operands.push_back(in->producer());
    GE_RETURN_IF_ERROR(EraseBridging(n));
    for (Node* o : operands)
      if (o->unused() && o->pure() && !o->Is("Data") && o->control_inputs().empty() && o->control_outputs().empty()) todo.push_back(o);
  }
  return {};
}

Result<Node*> Rewriter::Create(std::string_view op, std::vector<Value*> inputs, AttrMap attrs, Node& before, std::vector<ValueType> types) {
  return graph_.Create({.op = op,
                        .inputs = std::move(inputs),
                        .attrs = std::move(attrs),
                        .name = before.name(),
                        .loc = before.loc(),
                        .types = std::move(types),
                        .after = {}},
                       &before);
}

Value* Rewriter::Ints(std::span<const int64_t> values, Node& before) {
  return graph_.CreateConst(Tensor::Ints(values), &before, before.name())->output();
}

std::optional<std::vector<int64_t>> ConstInts(const Value* value) {
  const Tensor* t = value ? value->producer()->const_value() : nullptr;
  if (!t || !t->defined()) return std::nullopt;
  const auto n = static_cast<size_t>(t->num_elements());
  if (t->dtype() == DType::kI64) return std::vector<int64_t>(t->data<int64_t>(), t->data<int64_t>() + n);
  if (t->dtype() == DType::kI32) return std::vector<int64_t>(t->data<int32_t>(), t->data<int32_t>() + n);
  return std::nullopt;
}

bool IsMarked(const Node& node, std::string_view mark) {
  const Attr* a = node.attrs().Find(mark);
  return a && !a->IsNone() && a->AsDouble().value_or(1.0) != 0.0;
}

int64_t SaturatedBytes(const ValueType& type) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  int64_t bytes = static_cast<int64_t>(SizeOf(type.dtype()));
  bool overflow = false;
  for (const Dim& d : type.shape()) {
    if (d.Is(0)) return 0;
    overflow |= __builtin_mul_overflow(bytes, d.value(), &bytes);
  }
  return overflow ? kMost : bytes;
}

bool IsRowMajor(const ValueType& type) {
  switch (type.layout.kind) {
    case StorageLayout::Kind::kContiguous:
    case StorageLayout::Kind::kFree: return true;
    case StorageLayout::Kind::kStrided: return type.layout.strides == type.ContiguousStrides();
    case StorageLayout::Kind::kPacked: return false;
  }
  return false;
}

}  // namespace ge
