#pragma once
// InferValueRangePass: bounds of the elements of small integer tensors, from constants and from the shapes of tensors
// (an extent is never negative), through arithmetic, comparisons and data movement. A node all of whose elements can have
// one value only becomes a potential constant, which PotentialConstTakenEffectPass folds.
//
//   %s = Shape(%x) {dtype=9} : i64[2]   with %x: f32[s0,8]
//   %d = GatherV2(%s, 1, 0) : i64[]                                     8
//   %n = GatherV2(%s, 0, 0) : i64[]                                     0 .. 2^63-1
//   %c = GreaterEqual(%n, 0) : bool[]                                   true
//
// Extents stored as i32 may have wrapped around: they have no bound but that of their type.
#include <unordered_map>

#include "ge_core/passes/fold/folding_pass.h"
#include "ge_core/passes/fold/value_range.h"
#include "ge_core/passes/pass_context.h"

namespace ge {

class GE_API InferValueRangePass final : public NodePass {
 public:
  explicit InferValueRangePass(const PassContext& context) : context_(context) {}
  std::string_view name() const override { return "infer-value-range"; }
  std::span<const std::string_view> anchors() const override;
  Result<bool> Run(Node& node, Rewriter& rewriter) override;
  std::string WhyNot(const Node& node, const Rewriter& rewriter) const override;

  using Ranges = std::vector<ValueRange>;  // one for each element, row-major
  // Bounds of every result of `node`; empty where nothing is known of some result.
  std::vector<Ranges> Infer(const Node& node, const Rewriter& rewriter) const;

 private:
  // Bounds of an operand: those stored when its producer was visited, else what its value or its type says. nullopt: it is
  // no small integer tensor.
  std::optional<Ranges> Operand(const Value& value, const Rewriter& rewriter) const;
  std::vector<Ranges> InferElements(const Node& node, const RangeRule& rule, const Rewriter& rewriter) const;
  std::vector<Ranges> InferMove(const Node& node, const RangeRule& rule, const Rewriter& rewriter) const;
  PassContext context_;
  // By Value::id(), of one graph at a time. Operands come before their users on the work list, so that one look-up for each
  // operand is enough. An entry never becomes wrong: rewrites keep the values of what stays.
  std::unordered_map<int, Ranges> known_;
  const Graph* graph_ = nullptr;
  std::string graph_name_;
};

}  // namespace ge
