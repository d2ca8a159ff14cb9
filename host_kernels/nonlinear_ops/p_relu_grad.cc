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

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    const ValueType& y = c.outputs[0].type();
    return DispatchFloat(c, y.dtype(), [&]<typename C>(Tag<C>) {
      const auto grads = Load<C>(*In(c, 0), y), features = Load<C>(*In(c, 1), y);
      Map(c.outputs[0], [](C grad, C x, C weight) { return x > 0 ? grad : weight * grad; }, grads, features, Load<C>(*In(c, 2), y));
      Map(c.outputs[1], [](C grad, C x) { return x > 0 ? C(0) : x * grad; }, grads, features);
    });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(PReluGrad, Kernel);

}  // namespace ge
