#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

GE_DEFINE_OP(PRelu)
    .Doc("x where x > 0, else weight * x; the weight broadcasts to x")
    .Input("x", kFloatTypes)
    .Input("weight", kFloatTypes)
    .Output("y", kFloatTypes)
    .Traits(kElementwise)
    .Infer(InferBroadcast)
    .Aten("aten::_prelu_kernel(x, weight)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    const ValueType& y = c.outputs[0].type();
    return DispatchFloat(c, y.dtype(), [&]<typename C>(Tag<C>) {
      Map(c.outputs[0], [](C x, C w) { return x > 0 ? x : w * x; }, Load<C>(*In(c, 0), y), Load<C>(*In(c, 1), y));
    });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(PRelu, Kernel);

}  // namespace ge
