// MseLossGrad: the gradient of MseLoss.
#include "host_kernels/loss_ops/loss_util.h"

namespace ge {
namespace {

Result<Types> InferMseLossGrad(const InferContext& c) { return nn::InferPointwiseLossGrad(c, 0); }

}  // namespace

GE_DEFINE_OP(MseLossGrad)
    .Doc("Gradient of MseLoss with respect to predict, times dout.")
    .Input("predict", kFloatTypes)
    .Input("label", kFloatTypes)
    .Input("dout", kFloatTypes)
    .Output("y", kFloatTypes)
    .String("reduction", "mean")
    .Infer(InferMseLossGrad)
    .Aten("aten::mse_loss_backward(dout, predict, label, 0) if reduction=\"none\"")
    .Aten("aten::mse_loss_backward(dout, predict, label, 1) if reduction=\"mean\"")
    .Aten("aten::mse_loss_backward(dout, predict, label, 2) if reduction=\"sum\"");

}  // namespace ge
