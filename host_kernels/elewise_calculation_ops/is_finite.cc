#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

GE_DEFINE_OP(IsFinite)
    .Doc("Whether x is neither NaN nor infinite")
    .Input("x", kAll)
    .Output("y", kBoolType)
    .Traits(kElementwise)
    .Infer(InferPredicate)
    .Aten("aten::isfinite(x)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    return UnaryPredicate(c, [](auto x) {
      if constexpr (std::is_integral_v<decltype(x)>)
        return true;
      else
        return std::isfinite(x);
    });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(IsFinite, Kernel);

}  // namespace ge
