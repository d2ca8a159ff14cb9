#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

GE_DEFINE_OP(MishGrad)
    .Doc("Gradient of Mish")
    .Input("grad", kFloatTypes)
    .Input("x", kFloatTypes)
    .Output("x_grad", kFloatTypes)
    .Traits(kElementwise)
    .Infer(InferBroadcast)
    .Aten("aten::mish_backward(grad, x)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    const ValueType& y = c.outputs[0].type();
    return DispatchFloat(c, y.dtype(), [&]<typename C>(Tag<C>) {
      Map(
          c.outputs[0],
          [&](C grad, C x) {
            return grad * (std::tanh(std::log1p(std::exp(x))) +
                           x * Sigmoid(x) * (C(1) - std::tanh(std::log1p(std::exp(x))) * std::tanh(std::log1p(std::exp(x)))));
          },
          Load<C>(*In(c, 0), y), Load<C>(*In(c, 1), y));
    });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(MishGrad, Kernel);

}  // namespace ge
