#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

GE_DEFINE_OP(SwishGrad)
    .Doc("Gradient of Swish")
    .Input("grad", kFloatTypes | kComplexes)
    .Input("x", kFloatTypes | kComplexes)
    .Output("grad_x", kFloatTypes | kComplexes)
    .Traits(kElementwise)
    .Infer(InferBroadcast)
    .Aten("aten::silu_backward(grad, x)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    const ValueType& y = c.outputs[0].type();
    return DispatchFloat(c, y.dtype(), [&]<typename C>(Tag<C>) {
      Map(
          c.outputs[0], [&](C grad, C x) { return grad * Sigmoid(x) * (C(1) + x * (C(1) - Sigmoid(x))); }, Load<C>(*In(c, 0), y),
          Load<C>(*In(c, 1), y));
    });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(SwishGrad, Kernel);

}  // namespace ge
