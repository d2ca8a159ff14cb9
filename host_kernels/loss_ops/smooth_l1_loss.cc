// SmoothL1LossV2: smooth L1 loss.
#include "host_kernels/loss_ops/loss_util.h"

namespace ge {

GE_DEFINE_OP(SmoothL1LossV2)
    .Doc("0.5 d^2 / beta where |d| < beta, else |d| - beta / 2, with d = predict - label; kept, averaged or summed.")
    .Input("predict", kFloatTypes)
    .Input("label", kFloatTypes)
    .Output("y", kFloatTypes)
    .String("reduction", "mean")
    .Float("beta", 1)
    .Infer(nn::InferPointwiseLoss)
    .Aten("aten::smooth_l1_loss(predict, label, 0, @beta) if reduction=\"none\"")
    .Aten("aten::smooth_l1_loss(predict, label, 1, @beta) if reduction=\"mean\"")
    .Aten("aten::smooth_l1_loss(predict, label, 2, @beta) if reduction=\"sum\"");

}  // namespace ge
