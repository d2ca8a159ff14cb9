#pragma once
// ConvBiasFoldPass: what is added to or subtracted from a convolution, one number a channel or one for all, becomes part of
// its bias. Class tolerance: the bias is the first term of the convolution's sums, what follows it the last.
//
//   before                                              after
//     %c = Conv2D(%x, %w) : f32[1,8,4,4]                  %d = Reshape(%b, [8]) : f32[8]
//     %y = Add(%c, %b) : f32[1,8,4,4]  (%b: f32[8,1,1])   %y = Conv2D(%x, %w, %d) : f32[1,8,4,4]
#include "ge_core/passes/fold/fold_options.h"
#include "ge_core/passes/pass.h"

namespace ge {

struct ChannelOperand;

class GE_API ConvBiasFoldPass final : public NodePass {
 public:
  explicit ConvBiasFoldPass(FoldOptions fold) : fold_(std::move(fold)) {}
  std::string_view name() const override { return "conv-bias-fold"; }
  std::span<const std::string_view> anchors() const override;
  Result<bool> Run(Node& node, Rewriter& rewriter) override;
  std::string WhyNot(const Node& node, const Rewriter& rewriter) const override;

 private:
  // The input of `node` that a convolution gives; -1: none.
  int Port(const Node& node) const;
  std::string Refusal(const Node& node, int port, const Rewriter& rewriter, ChannelOperand* operand) const;
  FoldOptions fold_;
};

}  // namespace ge
