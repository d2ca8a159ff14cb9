#pragma once
// ConstantClipPass: a constant that a Cast narrows to f16 or bf16 is clipped to the finite values of that type first, where
// it holds finite values outside of them. Folding then removes what was inserted. On request only: eager turns such
// values into infinities.
//
//   before                                        after
//     %c = Const [1, 70000] : f32[2]                %a = Maximum(%c, -65504),  %b = Minimum(%a, 65504)
//     %y = Cast(%c) {f16} : f16[2]                  %y = Cast(%b) {f16} : f16[2]
#include "ge_core/passes/fold/fold_options.h"
#include "ge_core/passes/pass.h"

namespace ge {

class GE_API ConstantClipPass final : public NodePass {
 public:
  explicit ConstantClipPass(FoldOptions fold) : fold_(std::move(fold)) {}
  std::string_view name() const override { return "constant-clip"; }
  std::span<const std::string_view> anchors() const override;
  Result<bool> Run(Node& node, Rewriter& rewriter) override;
  std::string WhyNot(const Node& node, const Rewriter& rewriter) const override;

 private:
  std::string Refusal(const Node& node, const Rewriter& rewriter) const;
  FoldOptions fold_;
};

}  // namespace ge
