#pragma once
// ConvBatchNormFoldPass: inference's batch normalisation behind a convolution becomes part of its filter and bias. Class
// tolerance.
//
//   before                                              after, with scale = gamma / sqrt(variance + epsilon)
//     %c = Conv2D(%x, %w, %b) : f32[1,8,4,4]              %v = Mul(%w, scale) : f32[8,3,3,3]
//     %y = BNInfer(%c, %gamma, %beta, %m, %s)             %d = b * scale + (beta - m * scale)
//                                                         %y = Conv2D(%x, %v, %d) : f32[1,8,4,4]
//
// Convolutions of one to three spatial axes, grouped, depthwise and transposed, with or without bias, gamma and beta. The
// parameters must be known before the call, so nothing happens in training graphs, whose statistics are results.
#include "ge_core/passes/fold/fold_options.h"
#include "ge_core/passes/pass.h"

namespace ge {

class GE_API ConvBatchNormFoldPass final : public NodePass {
 public:
  explicit ConvBatchNormFoldPass(FoldOptions fold) : fold_(std::move(fold)) {}
  std::string_view name() const override { return "conv-batch-norm-fold"; }
  std::span<const std::string_view> anchors() const override;
  Result<bool> Run(Node& node, Rewriter& rewriter) override;
  std::string WhyNot(const Node& node, const Rewriter& rewriter) const override;

 private:
  std::string Refusal(const Node& node, const Rewriter& rewriter) const;
  FoldOptions fold_;
};

}  // namespace ge
