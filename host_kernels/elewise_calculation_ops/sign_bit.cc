#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

GE_DEFINE_OP(SignBit)
    .Doc("Whether the sign bit is set")
    .Input("x", kRealsBool)
    .Output("y", kBoolType)
    .Traits(kElementwise)
    .Infer(InferPredicate)
    .Aten("aten::signbit(x)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    return UnaryPredicate(c, [](auto x) {
      if constexpr (std::is_integral_v<decltype(x)>)
        return x < 0;
      else
        return std::signbit(x);
    });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(SignBit, Kernel);

}  // namespace ge
