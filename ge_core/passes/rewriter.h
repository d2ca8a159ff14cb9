#pragma once
// Rewriter: what a NodePass gets besides the node. The graph, the alias table (kept right under changes), and the few
// replacements that need care, written once.
#include "ge_core/passes/alias_info.h"

namespace ge {

class GE_API Rewriter {
 public:
  explicit Rewriter(Graph& graph) : graph_(graph), aliases_(graph) {}
  Graph& graph() { return graph_; }
  const Graph& graph() const { return graph_; }
  const AliasInfo& aliases() const { return aliases_; }

  // Why `to` must not stand in for `from`, a result of a node that is about to go; empty if it may. `to` has to hold the
  // same elements. Checks type and layout, and that nobody can tell the two apart in memory: a written value, two
  // results of the graph that would become one, a fresh result that would turn into an input's memory.
  std::string WhyNotForward(const Value& from, const Value& to) const;
  bool MayForward(const Value& from, const Value& to) const {
    return from.type() == to.type() && WhyNotForward(from, to).empty();  // types first: most refusals, and their text is long
  }

  // Points the users of `node`'s result 0, the only one with users, at `to`, hands the control edges of `node` on (its
  // users and successors wait for its predecessors, its successors for the producer of `to` where that computes), and
  // erases `node` with the operands that only it read. Call after MayForward.
  Status Forward(Node& node, Value& to);
  // Puts `with`, created before `node` with equally many results, in the place of `node`: uses, control edges, source
  // line; erases `node`. Operands that nobody reads any more are left to dead code elimination.
  Status Replace(Node& node, Node& with);
  // Erases `node` and then every producer that only it kept alive (pure, no users, no control edges).
  Status EraseWithOrphans(Node& node);

  // Creates a node before `before`, named after it and with its source line; types are inferred.
  Result<Node*> Create(std::string_view op, std::vector<Value*> inputs, AttrMap attrs, Node& before, std::vector<ValueType> types = {});
  // An i64 vector constant before `before`, as shape-like operands are.
  Value* Ints(std::span<const int64_t> values, Node& before);

 private:
  Graph& graph_;
  AliasInfo aliases_;
};

// Erases `node`, which has no users, and ties its control predecessors to its control successors.
GE_API Status EraseBridging(Node& node);
// Integers of a constant i64 / i32 tensor (any rank, in order); nullopt where `value` is null, not constant, or has no data.
GE_API std::optional<std::vector<int64_t>> ConstInts(const Value* value);
// The attribute is present and neither None, false nor 0: how marks such as "_do_not_constant_folding" are read.
GE_API bool IsMarked(const Node& node, std::string_view mark);
// Bytes of a dense tensor of a static type, or the largest number where that does not fit 64 bits.
GE_API int64_t SaturatedBytes(const ValueType& type);
// Elements lie in memory in row-major order without gaps.
GE_API bool IsRowMajor(const ValueType& type);

}  // namespace ge
