// AdaptiveAvgPool2dGrad: the gradient of adaptive average pooling.
#include "host_kernels/pool_ops/adaptive_pool.h"

namespace ge {
namespace {

Result<Types> InferAdaptiveAvgPool2dGrad(const InferContext& c) {
  GE_RETURN_IF_ERROR(nn::RequireTensors(c));
  GE_RETURN_IF_ERROR(nn::RequireSameDType(c, {0, 1}));
  return Types{ValueType::Tensor(c.input(1).dtype(), c.input(1).shape())};
}

}  // namespace

GE_DEFINE_OP(AdaptiveAvgPool2dGrad)
    .Doc("Spreads each element of grad evenly over its window of x.")
    .Input("grad", kFloatTypes)
    .Input("x", kFloatTypes)
    .Output("y", kFloatTypes)
    .Infer(InferAdaptiveAvgPool2dGrad)
    .Aten("aten::_adaptive_avg_pool2d_backward(grad, x)");

}  // namespace ge
