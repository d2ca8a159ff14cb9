#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

GE_DEFINE_OP(IsNegInf)
    .Doc("Whether x is -infinity")
    .Input("x", kRealsBool)
    .Output("y", kBoolType)
    .Traits(kElementwise)
    .Infer(InferPredicate)
    .Aten("aten::isneginf(x)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    return UnaryPredicate(c, [](auto x) {
      if constexpr (std::is_integral_v<decltype(x)>)
        return false;
      else
        return std::isinf(x) && x < 0;
    });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(IsNegInf, Kernel);

}  // namespace ge
