// SoftMarginLoss: soft margin loss.
#include "host_kernels/loss_ops/loss_util.h"

namespace ge {

GE_DEFINE_OP(SoftMarginLoss)
    .Doc("log(1 + exp(-label * predict)), kept, averaged or summed.")
    .Input("predict", kFloatTypes)
    .Input("label", kFloatTypes)
    .Output("y", kFloatTypes)
    .String("reduction", "mean")
    .Infer(nn::InferPointwiseLoss)
    .Aten("aten::soft_margin_loss(predict, label, 0) if reduction=\"none\"")
    .Aten("aten::soft_margin_loss(predict, label, 1) if reduction=\"mean\"")
    .Aten("aten::soft_margin_loss(predict, label, 2) if reduction=\"sum\"");

}  // namespace ge
