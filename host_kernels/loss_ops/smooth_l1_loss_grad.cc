// SmoothL1LossV2Grad: the gradient of SmoothL1LossV2.
#include "host_kernels/loss_ops/loss_util.h"

namespace ge {
namespace {

Result<Types> InferSmoothL1LossV2Grad(const InferContext& c) { return nn::InferPointwiseLossGrad(c, 0); }

}  // namespace

GE_DEFINE_OP(SmoothL1LossV2Grad)
    .Doc("Gradient of SmoothL1LossV2 with respect to predict, times dout.")
    .Input("predict", kFloatTypes)
    .Input("label", kFloatTypes)
    .Input("dout", kFloatTypes)
    .Output("y", kFloatTypes)
    .String("reduction", "mean")
    .Float("beta", 1)
    .Infer(InferSmoothL1LossV2Grad)
    .Aten("aten::smooth_l1_loss_backward(dout, predict, label, 0, @beta) if reduction=\"none\"")
    .Aten("aten::smooth_l1_loss_backward(dout, predict, label, 1, @beta) if reduction=\"mean\"")
    .Aten("aten::smooth_l1_loss_backward(dout, predict, label, 2, @beta) if reduction=\"sum\"");

}  // namespace ge
