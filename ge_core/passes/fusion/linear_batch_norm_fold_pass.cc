#include "ge_core/passes/fusion/linear_batch_norm_fold_pass.h"

#include "ge_core/base/str.h"
#include "ge_core/passes/fusion/weight_arithmetic.h"
#include "ge_core/passes/pass_context.h"
#include "ge_core/passes/pass_def.h"

namespace ge {
namespace {

bool IsProduct(const Node& node) { return node.Is("MatMulV2") || node.Is("GEMM"); }

}  // namespace

REG_PASS_OPTION(LinearBatchNormFoldPass)
    .Name("linear-batch-norm-fold")
    .Doc("Folds the batch normalisation behind a matrix product into its weight and bias.")
    .Tolerance()
    .Node([](const PassContext& c) -> std::unique_ptr<NodePass> { return std::make_unique<LinearBatchNormFoldPass>(c.fold); });

std::span<const std::string_view> LinearBatchNormFoldPass::anchors() const {
  static constexpr std::string_view kAnchors[] = {"BNInfer"};
  return kAnchors;
}

std::string LinearBatchNormFoldPass::Refusal(const Node& node, const Rewriter& rewriter) const {
  const Node& product = *node.input(0)->producer();
  if (product.output()->type().rank() != 2)
    return StrCat("it normalises axis 1 of ", ToString(product.output()->type()), ", which is not the axis of the product's columns");
  if (product.Is("GEMM")) {
    const std::optional<double> beta = product.attr("beta").AsDouble();
    if (!beta || *beta == 0) return "the product's beta is zero or not real: there is no bias to change";
  }
  if (std::string why = WhyNotAbsorb(product, node, rewriter, fold_); !why.empty()) return why;
  return WhyNotAffine(node, rewriter, fold_);
}

std::string LinearBatchNormFoldPass::WhyNot(const Node& node, const Rewriter& rewriter) const {
  return IsProduct(*node.input(0)->producer()) ? Refusal(node, rewriter) : std::string();
}

Result<bool> LinearBatchNormFoldPass::Run(Node& node, Rewriter& rewriter) {
  Node& product = *node.input(0)->producer();
  if (!IsProduct(product) || !Refusal(node, rewriter).empty()) return false;
  WeightArithmetic w(rewriter, node);
  WeightArithmetic::Affine affine = w.FromBatchNorm(node);
  Value* weight = product.input(1);
  Value* factor = affine.scale;
  if (product.Is("MatMulV2") && product.Bool("transpose_x2") && factor) factor = w.Reshape(factor, {factor->type().shape()[0].value(), 1});
  weight = w.Op("Mul", {weight, factor}, {}, &weight->type());
  // alpha * a @ b + beta * c: what is added to the product is added to c as its beta-th part.
  if (product.Is("GEMM")) affine.shift = w.Op("RealDiv", {affine.shift}, {{"scalar", product.attr("beta")}});
  Value* bias = w.ApplyTo(product.num_inputs() > 2 ? product.input(2) : nullptr, affine);
  GE_RETURN_IF_ERROR(w.TakeStatus());
  GE_RETURN_IF_ERROR(AbsorbUser(product, node, weight, bias, rewriter));
  return true;
}

}  // namespace ge
