#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

GE_DEFINE_OP(SigmoidGrad)
    .Doc("Gradient of Sigmoid from its result y")
    .Input("y", kFloatTypes | kComplexes)
    .Input("dy", kFloatTypes | kComplexes)
    .Output("z", kFloatTypes | kComplexes)
    .Traits(kElementwise)
    .Infer(InferBroadcast)
    .Aten("aten::sigmoid_backward(dy, y)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    const ValueType& y = c.outputs[0].type();
    return DispatchFloat(c, y.dtype(), [&]<typename C>(Tag<C>) {
      Map(c.outputs[0], [&](C v, C dy) { return dy * (C(1) - v) * v; }, Load<C>(*In(c, 0), y), Load<C>(*In(c, 1), y));
    });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(SigmoidGrad, Kernel);

}  // namespace ge
