#include "ge_core/passes/fusion/conv_batch_norm_fold_pass.h"

#include "ge_core/base/str.h"
#include "ge_core/passes/fusion/weight_arithmetic.h"
#include "ge_core/passes/pass_context.h"
#include "ge_core/passes/pass_def.h"

namespace ge {

REG_PASS_OPTION(ConvBatchNormFoldPass)
    .Name("conv-batch-norm-fold")
    .Doc("Folds the batch normalisation behind a convolution into its filter and bias.")
    .Tolerance()
    .Node([](const PassContext& c) -> std::unique_ptr<NodePass> { return std::make_unique<ConvBatchNormFoldPass>(c.fold); });

std::span<const std::string_view> ConvBatchNormFoldPass::anchors() const {
  static constexpr std::string_view kAnchors[] = {"BNInfer"};
  return kAnchors;
}

std::string ConvBatchNormFoldPass::Refusal(const Node& node, const Rewriter& rewriter) const {
  if (std::string why = WhyNotAbsorb(*node.input(0)->producer(), node, rewriter, fold_); !why.empty()) return why;
  return WhyNotAffine(node, rewriter, fold_);
}

std::string ConvBatchNormFoldPass::WhyNot(const Node& node, const Rewriter& rewriter) const {
  return IsConvolution(*node.input(0)->producer()) ? Refusal(node, rewriter) : std::string();
}

Result<bool> ConvBatchNormFoldPass::Run(Node& node, Rewriter& rewriter) {
  Node& conv = *node.input(0)->producer();
  if (!IsConvolution(conv) || !Refusal(node, rewriter).empty()) return false;
  WeightArithmetic w(rewriter, node);
  const WeightArithmetic::Affine affine = w.FromBatchNorm(node);
  Value* filter = w.ScaleFilter(conv, "Mul", affine.scale);
  Value* bias = w.ApplyTo(conv.num_inputs() > 2 ? conv.input(2) : nullptr, affine);
  GE_RETURN_IF_ERROR(w.TakeStatus());
  GE_RETURN_IF_ERROR(AbsorbUser(conv, node, filter, bias, rewriter));
  return true;
}

}  // namespace ge
