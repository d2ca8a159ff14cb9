// SoftMarginLossGrad: the gradient of SoftMarginLoss.
#include "host_kernels/loss_ops/loss_util.h"

namespace ge {
namespace {

Result<Types> InferSoftMarginLossGrad(const InferContext& c) { return nn::InferPointwiseLossGrad(c, 0); }

}  // namespace

GE_DEFINE_OP(SoftMarginLossGrad)
    .Doc("Gradient of SoftMarginLoss with respect to predict, times dout.")
    .Input("predict", kFloatTypes)
    .Input("label", kFloatTypes)
    .Input("dout", kFloatTypes)
    .Output("y", kFloatTypes)
    .String("reduction", "mean")
    .Infer(InferSoftMarginLossGrad)
    .Aten("aten::soft_margin_loss_backward(dout, predict, label, 0) if reduction=\"none\"")
    .Aten("aten::soft_margin_loss_backward(dout, predict, label, 1) if reduction=\"mean\"")
    .Aten("aten::soft_margin_loss_backward(dout, predict, label, 2) if reduction=\"sum\"");

}  // namespace ge
