#include "ge_core/passes/fusion/conv_scale_fold_pass.h"

#include "ge_core/base/str.h"
#include "ge_core/passes/fusion/weight_arithmetic.h"
#include "ge_core/passes/pass_context.h"
#include "ge_core/passes/pass_def.h"

namespace ge {

REG_PASS_OPTION(ConvScaleFoldPass)
    .Name("conv-scale-fold")
    .Doc("Folds a factor or divisor behind a convolution into its filter and bias.")
    .Tolerance()
    .Node([](const PassContext& c) -> std::unique_ptr<NodePass> { return std::make_unique<ConvScaleFoldPass>(c.fold); });

std::span<const std::string_view> ConvScaleFoldPass::anchors() const {
  static constexpr std::string_view kAnchors[] = {"Mul", "Muls", "RealDiv"};
  return kAnchors;
}

int ConvScaleFoldPass::Port(const Node& node) const {
  for (int i = 0; i < node.num_inputs(); ++i)
    if (node.input(i) && IsConvolution(*node.input(i)->producer())) return i;
  return -1;
}

std::string ConvScaleFoldPass::Refusal(const Node& node, int port, const Rewriter& rewriter, ChannelOperand* operand) const {
  if (node.Is("RealDiv") && port != 0) return "the convolution's result is the divisor";
  if (std::string why = WhyNotAbsorb(*node.input(port)->producer(), node, rewriter, fold_); !why.empty()) return why;
  return FindChannelOperand(node, port, node.Is("Muls") ? "value" : node.Is("RealDiv") ? "scalar" : "", rewriter, fold_, operand);
}

std::string ConvScaleFoldPass::WhyNot(const Node& node, const Rewriter& rewriter) const {
  const int port = Port(node);
  ChannelOperand operand;
  return port >= 0 ? Refusal(node, port, rewriter, &operand) : std::string();
}

Result<bool> ConvScaleFoldPass::Run(Node& node, Rewriter& rewriter) {
  const int port = Port(node);
  ChannelOperand operand;
  if (port < 0 || !Refusal(node, port, rewriter, &operand).empty()) return false;
  Node& conv = *node.input(port)->producer();
  Value* bias = conv.num_inputs() > 2 ? conv.input(2) : nullptr;
  WeightArithmetic w(rewriter, node);
  Value *filter = conv.input(1), *factor = w.Flat(operand);
  if (factor) {
    filter = w.ScaleFilter(conv, node.op().name, factor);
    if (bias) bias = w.Op(node.op().name, {bias, factor});
  } else {
    filter = w.Op(node.op().name, {filter}, node.attrs(), &filter->type());
    if (bias) bias = w.Op(node.op().name, {bias}, node.attrs());
  }
  GE_RETURN_IF_ERROR(w.TakeStatus());
  GE_RETURN_IF_ERROR(AbsorbUser(conv, node, filter, bias, rewriter));
  return true;
}

}  // namespace ge
