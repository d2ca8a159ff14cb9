#pragma once
// DecomposeLargeConstPass: a constant over ge.const.maxBytes becomes several along axis 0 and a ConcatV2, which is marked
// no_need_constant_folding so that it stays. The parts share the constant's memory; one that came from folding stays
// known as such (_is_from_constant_folding). Off while the option is 0.
//
//   %c = Const : f32[5,2]      ->      %a = Const : f32[3,2],  %b = Const : f32[2,2],  %c = ConcatV2(%a, %b)
#include "ge_core/passes/fold/fold_options.h"
#include "ge_core/passes/pass.h"

namespace ge {

class GE_API DecomposeLargeConstPass final : public NodePass {
 public:
  explicit DecomposeLargeConstPass(FoldOptions fold) : fold_(std::move(fold)) {}
  std::string_view name() const override { return "decompose-large-const"; }
  std::span<const std::string_view> anchors() const override;
  Result<bool> Run(Node& node, Rewriter& rewriter) override;
  std::string WhyNot(const Node& node, const Rewriter& rewriter) const override;

 private:
  bool IsLarge(const Node& node) const;
  std::string Refusal(const Node& node, const Rewriter& rewriter) const;
  FoldOptions fold_;
};

}  // namespace ge
