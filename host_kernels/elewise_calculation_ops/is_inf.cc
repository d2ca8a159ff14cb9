#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

GE_DEFINE_OP(IsInf)
    .Doc("Whether x is infinite")
    .Input("x", kAll)
    .Output("y", kBoolType)
    .Traits(kElementwise)
    .Infer(InferPredicate)
    .Aten("aten::isinf(x)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    return UnaryPredicate(c, [](auto x) {
      if constexpr (std::is_integral_v<decltype(x)>)
        return false;
      else
        return std::isinf(x);
    });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(IsInf, Kernel);

}  // namespace ge
