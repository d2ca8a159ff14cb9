#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

GE_DEFINE_OP(HardSigmoidGrad)
    .Doc("Gradient of HardSigmoid")
    .Input("grads", kFloatTypes)
    .Input("input_x", kFloatTypes)
    .Output("y", kFloatTypes)
    .Traits(kElementwise)
    .Infer(InferBroadcast)
    .Aten("aten::hardsigmoid_backward(grads, input_x)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    const ValueType& y = c.outputs[0].type();
    return DispatchFloat(c, y.dtype(), [&]<typename C>(Tag<C>) {
      Map(
          c.outputs[0], [&](C grads, C input_x) { return input_x > C(-3) && input_x < C(3) ? grads * C(1.0f / 6.0f) : C(0); },
          Load<C>(*In(c, 0), y), Load<C>(*In(c, 1), y));
    });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(HardSigmoidGrad, Kernel);

}  // namespace ge
