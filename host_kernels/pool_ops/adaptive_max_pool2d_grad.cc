// AdaptiveMaxPool2dGrad: the gradient of adaptive max pooling.
#include "host_kernels/pool_ops/adaptive_pool.h"

namespace ge {
namespace {

Result<Types> InferAdaptiveMaxPool2dGrad(const InferContext& c) {
  GE_RETURN_IF_ERROR(nn::RequireTensors(c));
  GE_RETURN_IF_ERROR(nn::RequireSameDType(c, {0, 1}));
  return Types{ValueType::Tensor(c.input(1).dtype(), c.input(1).shape())};
}

}  // namespace

GE_DEFINE_OP(AdaptiveMaxPool2dGrad)
    .Doc("Adds each element of grad to the place of its window's maximum, as argmax says.")
    .Input("grad", kFloatTypes)
    .Input("x", kFloatTypes)
    .Input("argmax", kI64Type)
    .Output("y", kFloatTypes)
    .Infer(InferAdaptiveMaxPool2dGrad)
    .Aten("aten::adaptive_max_pool2d_backward(grad, x, argmax)");

}  // namespace ge
