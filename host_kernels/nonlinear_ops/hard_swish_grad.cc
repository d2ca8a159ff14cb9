#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

GE_DEFINE_OP(HardSwishGrad)
    .Doc("Gradient of HardSwish")
    .Input("grad", kFloatTypes)
    .Input("x", kFloatTypes)
    .Output("y", kFloatTypes)
    .Traits(kElementwise)
    .Infer(InferBroadcast)
    .Aten("aten::hardswish_backward(grad, x)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    const ValueType& y = c.outputs[0].type();
    return DispatchFloat(c, y.dtype(), [&]<typename C>(Tag<C>) {
      Map(
          c.outputs[0], [&](C grad, C x) { return x <= C(-3)  ? C(0)
                                                  : x >= C(3) ? grad
                                                              : grad * (x / C(3) + C(0.5)); },
          Load<C>(*In(c, 0), y), Load<C>(*In(c, 1), y));
    });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(HardSwishGrad, Kernel);

}  // namespace ge
