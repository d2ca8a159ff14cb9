#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

GE_DEFINE_OP(LogSigmoidGrad)
    .Doc("Gradient of LogSigmoid; buffer is the forward's second result")
    .Input("grads", kFloatTypes)
    .Input("features", kFloatTypes)
    .Input("buffer", kFloatTypes)
    .Output("backprops", kFloatTypes)
    .Traits(kElementwise)
    .Infer(InferBroadcast)
    .Aten("aten::log_sigmoid_backward(grads, features, buffer)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    const ValueType& y = c.outputs[0].type();
    return DispatchFloat(c, y.dtype(), [&]<typename C>(Tag<C>) {
      Map(
          c.outputs[0],
          [&](C grads, C features, C buffer) {
            return grads * ((features < 0 ? C(1) : C(0)) - (features < 0 ? C(1) : C(-1)) * (buffer / (C(1) + buffer)));
          },
          Load<C>(*In(c, 0), y), Load<C>(*In(c, 1), y), Load<C>(*In(c, 2), y));
    });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(LogSigmoidGrad, Kernel);

}  // namespace ge
