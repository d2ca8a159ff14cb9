#pragma once
// ReplaceWithEmptyConstPass: a node all of whose results have no element becomes an empty constant, whatever its operands
// are. Mark-only mode as in DimensionComputePass. Seed 000 section 4.3.4.
//
// Left alone: the skeleton, control flow, nodes with effects or random draws, fallback nodes, nodes without results, nodes
// that a pass inserted (_is_inserted_by_ge), and nodes that may raise on the values of an operand although their result is
// empty (an index out of range).
#include "ge_core/passes/fold/folding_pass.h"
#include "ge_core/passes/pass_context.h"

namespace ge {

class GE_API ReplaceWithEmptyConstPass final : public FoldingPass {
 public:
  explicit ReplaceWithEmptyConstPass(const PassContext& context) : context_(context) {}
  std::string_view name() const override { return "replace-with-empty-const"; }
  Result<bool> Run(Node& node, Rewriter& rewriter) override;
  std::string WhyNot(const Node& node, const Rewriter& rewriter) const override;

 private:
  static bool IsEmpty(const Node& node);
  std::string Refusal(const Node& node, const Rewriter& rewriter) const;
  PassContext context_;
};

}  // namespace ge
