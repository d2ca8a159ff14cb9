// HuberLossGrad: the gradient of HuberLoss.
#include "host_kernels/loss_ops/loss_util.h"

namespace ge {
namespace {

Result<Types> InferHuberLossGrad(const InferContext& c) { return nn::InferPointwiseLossGrad(c, 0); }

}  // namespace

GE_DEFINE_OP(HuberLossGrad)
    .Doc("Gradient of HuberLoss with respect to predict, times dout.")
    .Input("predict", kFloatTypes)
    .Input("label", kFloatTypes)
    .Input("dout", kFloatTypes)
    .Output("y", kFloatTypes)
    .String("reduction", "mean")
    .Float("delta", 1)
    .Infer(InferHuberLossGrad)
    .Aten("aten::huber_loss_backward(dout, predict, label, 0, @delta) if reduction=\"none\"")
    .Aten("aten::huber_loss_backward(dout, predict, label, 1, @delta) if reduction=\"mean\"")
    .Aten("aten::huber_loss_backward(dout, predict, label, 2, @delta) if reduction=\"sum\"");

}  // namespace ge
