#pragma once
// MergePass: a Merge with one operand is that operand, and its value_index the constant 0.
//
//   %y, %i = Merge(%x) : f32[4], i32[]      ->      %x, Const 0 : i32[]
#include "ge_core/passes/pass.h"
#include "ge_core/passes/rewriter.h"

namespace ge {

class GE_API MergePass final : public NodePass {
 public:
  std::string_view name() const override { return "merge-remove"; }
  std::span<const std::string_view> anchors() const override;
  Result<bool> Run(Node& node, Rewriter& rewriter) override;
  std::string WhyNot(const Node& node, const Rewriter& rewriter) const override;
};

// Leaves the operands `keep` (at least one, in increasing order) to `merge`, the others being never computed: with one, the
// Merge goes, with more it is made anew, and its value_index must be unused.
GE_API Status NarrowMerge(Node& merge, const std::vector<int>& keep, Rewriter& rewriter);

}  // namespace ge
