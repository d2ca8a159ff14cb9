#include "ge_core/passes/fusion/conv_bias_fold_pass.h"

#include "ge_core/base/str.h"
#include "ge_core/passes/fusion/weight_arithmetic.h"
#include "ge_core/passes/pass_context.h"
#include "ge_core/passes/pass_def.h"

namespace ge {

REG_PASS_OPTION(ConvBiasFoldPass)
    .Name("conv-bias-fold")
    .Doc("Folds what is added to a convolution, per channel, into its bias.")
    .Tolerance()
    .Node([](const PassContext& c) -> std::unique_ptr<NodePass> { return std::make_unique<ConvBiasFoldPass>(c.fold); });

std::span<const std::string_view> ConvBiasFoldPass::anchors() const {
  static constexpr std::string_view kAnchors[] = {"Add", "Adds", "Sub"};
  return kAnchors;
}

int ConvBiasFoldPass::Port(const Node& node) const {
  for (int i = 0; i < node.num_inputs(); ++i)
    if (node.input(i) && IsConvolution(*node.input(i)->producer())) return i;
  return -1;
}

std::string ConvBiasFoldPass::Refusal(const Node& node, int port, const Rewriter& rewriter, ChannelOperand* operand) const {
  if (node.Is("Sub") && port != 0) return "the convolution's result is the subtrahend";
  if (std::string why = WhyNotAbsorb(*node.input(port)->producer(), node, rewriter, fold_); !why.empty()) return why;
  return FindChannelOperand(node, port, node.Is("Adds") ? "value" : node.Is("Sub") ? "scalar" : "", rewriter, fold_, operand);
}

std::string ConvBiasFoldPass::WhyNot(const Node& node, const Rewriter& rewriter) const {
  const int port = Port(node);
  ChannelOperand operand;
  return port >= 0 ? Refusal(node, port, rewriter, &operand) : std::string();
}

Result<bool> ConvBiasFoldPass::Run(Node& node, Rewriter& rewriter) {
  const int port = Port(node);
  ChannelOperand operand;
  if (port < 0 || !Refusal(node, port, rewriter, &operand).empty()) return false;
  Node& conv = *node.input(port)->producer();
  Value* bias = conv.num_inputs() > 2 ? conv.input(2) : nullptr;
  const ValueType& result = node.output()->type();
  WeightArithmetic w(rewriter, node);
  Value* term = w.Flat(operand);
  if (!bias && term && term->type().rank() == 1) {
    bias = node.Is("Sub") ? w.Op("Neg", {term}) : term;
  } else {
    if (!bias) bias = w.Zeros(result.dtype(), result.shape()[1].value());
    bias = term ? w.Op(node.op().name, {bias, term}) : w.Op(node.op().name, {bias}, node.attrs());
  }
  GE_RETURN_IF_ERROR(w.TakeStatus());
  GE_RETURN_IF_ERROR(AbsorbUser(conv, node, conv.input(1), bias, rewriter));
  return true;
}

}  // namespace ge
