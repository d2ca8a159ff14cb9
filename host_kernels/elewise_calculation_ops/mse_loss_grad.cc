#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

GE_DEFINE_OP(MseLossGrad)
    .Doc("Gradient of MseLoss with respect to predict")
    .Input("dout", kFloatTypes)
    .Input("predict", kFloatTypes)
    .Input("label", kFloatTypes)
    .Output("y", kFloatTypes)
    .Required("reduction", AttrKind::kInt)
    .Traits(kTraitNone)
    .Infer(InferBroadcast)
    .Aten("aten::mse_loss_backward(dout, predict, label, @reduction)");

}  // namespace ge
