// HuberLoss: Huber loss.
#include "host_kernels/loss_ops/loss_util.h"

namespace ge {

GE_DEFINE_OP(HuberLoss)
    .Doc("0.5 d^2 where |d| < delta, else delta * (|d| - delta / 2), with d = predict - label; kept, averaged or summed.")
    .Input("predict", kFloatTypes)
    .Input("label", kFloatTypes)
    .Output("y", kFloatTypes)
    .String("reduction", "mean")
    .Float("delta", 1)
    .Infer(nn::InferPointwiseLoss)
    .Aten("aten::huber_loss(predict, label, 0, @delta) if reduction=\"none\"")
    .Aten("aten::huber_loss(predict, label, 1, @delta) if reduction=\"mean\"")
    .Aten("aten::huber_loss(predict, label, 2, @delta) if reduction=\"sum\"");

}  // namespace ge
