#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

GE_DEFINE_OP(LogAddExp)
    .Doc("ln(e^x1 + e^x2) without overflow in between")
    .Input("x1", kFloatTypes)
    .Input("x2", kFloatTypes)
    .Output("y", kFloatTypes)
    .Traits(kElementwise)
    .Infer(InferBinary)
    .Aten("aten::logaddexp(x1, x2)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    return BinaryFloat(c, [](auto a, auto b) {
      if (std::isinf(a) && a == b) return a;
      return Max(a, b) + std::log1p(std::exp(-std::abs(a - b)));
    });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(LogAddExp, Kernel);

}  // namespace ge
