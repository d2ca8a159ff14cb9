#include "ge_core/passes/cleanup/common_subexpression_elimination_pass.h"

#include <unordered_map>

#include "ge_core/passes/alias_info.h"
#include "ge_core/passes/pass_def.h"

namespace ge {
namespace {

// Marks left by passes ("_is_from_constant_folding") say where a node came from, not what it computes; a mark that keeps a
// node from being touched still keeps it, because the whole attribute maps of operators are compared.
bool ComparesAttr(const Node& node, std::string_view name) { return !(node.op().Has(kSkeleton) && name.starts_with('_')); }

std::vector<const Value*> Operands(const Node& node) {
  std::vector<const Value*> in(node.inputs().begin(), node.inputs().end());
  if (node.op().Has(kCommutative) && in.size() >= 2 && in[0] && in[1]) {
    const Node *p0 = in[0]->producer(), *p1 = in[1]->producer();
    const bool swap = p0 == p1 ? in[1]->index() < in[0]->index() : p1->Before(*p0);
    if (swap) std::swap(in[0], in[1]);
  }
  return in;
}

size_t Mix(size_t seed, size_t v) { return seed ^ (v + 0x9e3779b97f4a7c15ull + (seed << 6) + (seed >> 2)); }

size_t Hash(const Node& node, const std::vector<const Value*>& operands) {
  size_t h = std::hash<std::string_view>()(node.op().name);
  for (const Value* v : operands) h = Mix(h, std::hash<const void*>()(v));
  for (const auto& [name, attr] : node.attrs())
    if (ComparesAttr(node, name)) h = Mix(Mix(h, std::hash<std::string_view>()(name)), attr.Hash());
  for (int o = 0; o < node.num_outputs(); ++o) {
    const ValueType& t = node.output(o)->type();
    h = Mix(h, static_cast<size_t>(t.kind()) * 64 + static_cast<size_t>(t.dtype()));
    if (t.IsTensor())
      for (const Dim& d : t.shape()) h = Mix(h, d.IsConst() ? static_cast<size_t>(d.value()) : 77);
  }
  return h;
}

bool SameAttrs(const Node& a, const Node& b) {
  auto next = [](const Node& n, auto it) {
    while (it != n.attrs().end() && !ComparesAttr(n, it->first)) ++it;
    return it;
  };
  auto i = next(a, a.attrs().begin());
  auto j = next(b, b.attrs().begin());
  while (i != a.attrs().end() && j != b.attrs().end()) {
    if (i->first != j->first || !(i->second == j->second)) return false;
    i = next(a, ++i);
    j = next(b, ++j);
  }
  return i == a.attrs().end() && j == b.attrs().end();
}

bool Equal(const Node& a, const Node& b) {
  if (&a.op() != &b.op() || a.num_outputs() != b.num_outputs() || !SameAttrs(a, b) || Operands(a) != Operands(b)) return false;
  for (int o = 0; o < a.num_outputs(); ++o)
    if (!(a.output(o)->type() == b.output(o)->type())) return false;
  return true;
}

bool IsCandidate(const Node& n) {
  const OpDef& op = n.op();
  if (!n.pure() || op.Has(kRandom) || op.Has(kControlFlow) || n.num_outputs() == 0) return false;
  if (!n.control_inputs().empty() || !n.control_outputs().empty()) return false;
  // A constant without data in this file equals nothing but itself.
  if (op.Has(kSkeleton) && (!n.const_value() || !n.const_value()->defined())) return false;
  for (int o = 0; o < n.num_outputs(); ++o)
    if (n.output(o)->type().IsOpaque()) return false;  // objects have an identity
  return true;
}

bool MayMerge(const Node& first, const Node& second, const AliasInfo& aliases) {
  for (int o = 0; o < first.num_outputs(); ++o) {
    const Value *a = first.output(o), *b = second.output(o);
    if (aliases.MayBeWritten(a) || aliases.MayBeWritten(b)) return false;
    if (aliases.Escapes(a) && aliases.Escapes(b)) return false;
  }
  return true;
}

}  // namespace

REG_PASS_OPTION(CommonSubexpressionEliminationPass)
    .Name("common-subexpression-elimination")
    .Alias("cse")
    .Alias("RemoveSameConstPass")
    .Alias("ConstantFuseSamePass")
    .Doc("Merges nodes that compute the same.")
    .Levels(OptLevel::kO2)
    .Make<CommonSubexpressionEliminationPass>();

Result<bool> CommonSubexpressionEliminationPass::Run(Graph& graph) {
  AliasInfo aliases(graph);
  // Several representatives may share a hash: by collision, or because results of the graph keep equal nodes apart. The
  // cap keeps the pass linear when a graph returns the same expression very often.
  constexpr size_t kMaxRepresentatives = 8;
  std::unordered_map<size_t, std::vector<Node*>> seen;  // looked up only
  bool changed = false;
  for (Node* node : graph.NodeList()) {
    if (!IsCandidate(*node)) continue;
    std::vector<Node*>& bucket = seen[Hash(*node, Operands(*node))];
    Node* merged = nullptr;
    for (Node* first : bucket) {
      if (!Equal(*first, *node) || !MayMerge(*first, *node, aliases)) continue;
      merged = first;
      break;
    }
    if (!merged) {
      if (bucket.size() < kMaxRepresentatives) bucket.push_back(node);
      continue;
    }
    for (int o = 0; o < node->num_outputs(); ++o) GE_RETURN_IF_ERROR(graph.ReplaceAllUses(node->output(o), merged->output(o)));
    GE_RETURN_IF_ERROR(graph.Erase(node));
    changed = true;
  }
  return changed;
}

}  // namespace ge
