#pragma once
// LinearBatchNormFoldPass: inference's batch normalisation of the columns of a matrix product becomes part of its second
// operand and its bias. Class tolerance.
//
//   before                                              after, with scale = gamma / sqrt(variance + epsilon)
//     %c = MatMulV2(%x, %w, %b) : f32[2,8]                %v = Mul(%w, scale) : f32[4,8]
//     %y = BNInfer(%c, %gamma, %beta, %m, %s)             %d = b * scale + (beta - m * scale)
//                                                         %y = MatMulV2(%x, %v, %d) : f32[2,8]
//
// Matrices only: batch normalisation works along axis 1, which is the columns of a matrix, but not of a product with
// leading batch axes. GEMM too, where its c is known before the call and beta is not zero.
#include "ge_core/passes/fold/fold_options.h"
#include "ge_core/passes/pass.h"

namespace ge {

class GE_API LinearBatchNormFoldPass final : public NodePass {
 public:
  explicit LinearBatchNormFoldPass(FoldOptions fold) : fold_(std::move(fold)) {}
  std::string_view name() const override { return "linear-batch-norm-fold"; }
  std::span<const std::string_view> anchors() const override;
  Result<bool> Run(Node& node, Rewriter& rewriter) override;
  std::string WhyNot(const Node& node, const Rewriter& rewriter) const override;

 private:
  std::string Refusal(const Node& node, const Rewriter& rewriter) const;
  FoldOptions fold_;
};

}  // namespace ge
