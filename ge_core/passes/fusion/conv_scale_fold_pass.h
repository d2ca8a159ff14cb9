#pragma once
// ConvScaleFoldPass: a factor or divisor behind a convolution, one a channel or one for all, becomes part of its filter and
// bias. Class tolerance.
//
//   before                                              after
//     %c = Conv2D(%x, %w, %b) : f32[1,8,4,4]              %r = Reshape(%s, [8,1,1,1]),  %q = Reshape(%s, [8])
//     %y = Mul(%c, %s) : f32[1,8,4,4]  (%s: f32[8,1,1])   %v = Mul(%w, %r),  %d = Mul(%b, %q)
//                                                         %y = Conv2D(%x, %v, %d) : f32[1,8,4,4]
#include "ge_core/passes/fold/fold_options.h"
#include "ge_core/passes/pass.h"

namespace ge {

struct ChannelOperand;

class GE_API ConvScaleFoldPass final : public NodePass {
 public:
  explicit ConvScaleFoldPass(FoldOptions fold) : fold_(std::move(fold)) {}
  std::string_view name() const override { return "conv-scale-fold"; }
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
