#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

GE_DEFINE_OP(IsNan)
    .Doc("Whether x is NaN")
    .Input("x", kAll)
    .Output("y", kBoolType)
    .Traits(kElementwise)
    .Infer(InferPredicate)
    .Aten("aten::isnan(x)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    return UnaryPredicate(c, [](auto x) {
      if constexpr (std::is_integral_v<decltype(x)>)
        return false;
      else
        return std::isnan(x);
    });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(IsNan, Kernel);

}  // namespace ge
