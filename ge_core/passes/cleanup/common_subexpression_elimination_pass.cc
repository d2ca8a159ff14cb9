#include "ge_core/passes/cleanup/common_subexpression_elimination_pass.h"

#include <bit>
#include <optional>

#include "ge_core/passes/alias_info.h"
#include "ge_core/passes/pass_def.h"

namespace ge {
namespace {

// Marks left by passes ("_is_from_constant_folding") say where a node came from, not what it computes; a mark that keeps a
// node from being touched still keeps it, because the whole attribute maps of operators are compared.
bool ComparesAttr(const Node& node, std::string_view name) { return !(node.op().Has(kSkeleton) && name.starts_with('_')); }

// The operands in canonical order: commutative ones by list order of their producers.
struct Operands {
  explicit Operands(const Node& node) : node(node) {
    const auto& in = node.inputs();
    if (!node.op().Has(kCommutative) || in.size() < 2 || !in[0] || !in[1]) return;
    const Node *p0 = in[0]->producer(), *p1 = in[1]->producer();
    swapped = p0 == p1 ? in[1]->index() < in[0]->index() : p1->Before(*p0);
  }
  const Value* operator[](size_t i) const { return node.inputs()[i < 2 && swapped ? 1 - i : i]; }
  size_t size() const { return node.inputs().size(); }
  friend bool operator==(const Operands& a, const Operands& b) {
    if (a.size() != b.size()) return false;
    for (size_t i = 0; i < a.size(); ++i)
      if (a[i] != b[i]) return false;
    return true;
  }
  const Node& node;
  bool swapped = false;
};

size_t Mix(size_t seed, size_t v) { return seed ^ (v + 0x9e3779b97f4a7c15ull + (seed << 6) + (seed >> 2)); }

size_t Hash(const Node& node, const Operands& operands) {
  size_t h = std::hash<const void*>()(&node.op());
  for (size_t i = 0; i < operands.size(); ++i) h = Mix(h, operands[i] ? static_cast<size_t>(operands[i]->id()) + 1 : 0);
  for (const auto& [name, attr] : node.attrs())
    if (ComparesAttr(node, name)) h = Mix(Mix(h, std::hash<std::string_view>()(name)), attr.Hash());
  for (int o = 0; o < node.num_outputs(); ++o) {
    const ValueType& t = node.output(o)->type();
    h = Mix(h, static_cast<size_t>(t.kind()) * 64 + static_cast<size_t>(t.dtype()));
    if (t.IsTensor())
      for (const Dim& d : t.shape()) h = Mix(h, d.IsConst() ? static_cast<size_t>(d.value()) : 77);
  }
  // Spread: ids of neighbours differ in their last bits, and the table is probed in a row.
  h = (h ^ (h >> 33)) * 0xff51afd7ed558ccdull;
  return h ^ (h >> 33);
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
  if (&a.op() != &b.op() || a.num_outputs() != b.num_outputs() || !(Operands(a) == Operands(b)) || !SameAttrs(a, b)) return false;
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
  std::optional<AliasInfo> aliases;  // a sweep of its own: made for the first pair of equals
  // Open addressing by hash. Several representatives may share a hash: by collision, or because results of the graph keep
  // equal nodes apart. The cap keeps the pass linear when a graph returns the same expression very often.
  constexpr int kMaxRepresentatives = 8;
  struct Slot {  // small: the table is read at random
    uint32_t hash, representative;
  };
  constexpr uint32_t kFree = ~uint32_t{0};
  std::vector<Node*> representative_nodes;
  std::vector<Slot> table(std::bit_ceil(2 * graph.size() + 16), Slot{0, kFree});
  const size_t mask = table.size() - 1;
  bool changed = false;
  for (Node *node = graph.first(), *next = nullptr; node; node = next) {
    next = Graph::SweepNext(*node);
    if (!IsCandidate(*node)) continue;
    const size_t hash = Hash(*node, Operands(*node));
    Node* merged = nullptr;
    const auto high = static_cast<uint32_t>(hash >> 32);
    size_t at = hash & mask;
    int representatives = 0;
    for (; table[at].representative != kFree; at = (at + 1) & mask) {
      if (table[at].hash != high) continue;
      ++representatives;
      Node* first = representative_nodes[table[at].representative];
      if (!Equal(*first, *node)) continue;
      if (!aliases) aliases.emplace(graph);
      if (!MayMerge(*first, *node, *aliases)) continue;
      merged = first;
      break;
    }
    if (!merged) {
      if (representatives < kMaxRepresentatives) {
        table[at] = {high, static_cast<uint32_t>(representative_nodes.size())};
        representative_nodes.push_back(node);
      }
      continue;
    }
    for (int o = 0; o < node->num_outputs(); ++o) GE_RETURN_IF_ERROR(graph.ReplaceAllUses(node->output(o), merged->output(o)));
    GE_RETURN_IF_ERROR(graph.Erase(node));
    changed = true;
  }
  return changed;
}

}  // namespace ge
