// MseLoss: mean squared error.
#include "host_kernels/loss_ops/loss_util.h"

namespace ge {

GE_DEFINE_OP(MseLoss)
    .Doc("(predict - label)^2, kept, averaged or summed.")
    .Input("predict", kFloatTypes)
    .Input("label", kFloatTypes)
    .Output("y", kFloatTypes)
    .String("reduction", "mean")
    .Infer(nn::InferPointwiseLoss)
    .Aten("aten::mse_loss(predict, label, 0) if reduction=\"none\"")
    .Aten("aten::mse_loss(predict, label, 1) if reduction=\"mean\"")
    .Aten("aten::mse_loss(predict, label, 2) if reduction=\"sum\"");

}  // namespace ge
