#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

GE_DEFINE_OP(Ceil)
    .Doc("Smallest integer not below x; integers stay as they are")
    .Input("x", kReals)
    .Output("y", kReals)
    .Traits(kElementwise)
    .Infer(InferSame)
    .Aten("aten::ceil(x)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    return UnaryReal(c, [](auto x) {
      if constexpr (std::is_integral_v<decltype(x)>)
        return x;
      else
        return std::ceil(x);
    });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(Ceil, Kernel);

}  // namespace ge
