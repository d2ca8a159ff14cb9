#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

GE_DEFINE_OP(PReluGrad)
    .Doc("Gradients of PRelu, that of the weight still in the broadcast shape")
    .Input("grads", kFloatTypes)
    .Input("features", kFloatTypes)
    .Input("weights", kFloatTypes)
    .Output("dx", kFloatTypes)
    .Output("da", kFloatTypes)
    .Traits(kElementwise)
    .Infer(InferBroadcast)
    .Aten("aten::_prelu_kernel_backward(grads, features, weights)");

}  // namespace ge
