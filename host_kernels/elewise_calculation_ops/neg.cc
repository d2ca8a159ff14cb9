#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

GE_DEFINE_OP(Neg)
    .Doc("-x; unsigned integers wrap")
    .Input("x", kNumbers)
    .Output("y", kNumbers)
    .Traits(kElementwise)
    .Infer(InferSame)
    .Aten("aten::neg(x)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    const ValueType& y = c.outputs[0].type();
    return DispatchAll(c, y.dtype(), [&]<typename C>(Tag<C>) {
      Map(
          c.outputs[0],
          [](C x) {
            if constexpr (std::is_integral_v<C>)
              return Sub<C>(0, x);
            else
              return -x;
          },
          Load<C>(*In(c, 0), y));
    });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(Neg, Kernel);

}  // namespace ge
