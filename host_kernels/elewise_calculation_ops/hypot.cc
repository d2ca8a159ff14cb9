#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

GE_DEFINE_OP(Hypot)
    .Doc("sqrt(x1^2 + x2^2) without overflow in between")
    .Input("x1", kFloatTypes)
    .Input("x2", kFloatTypes)
    .Output("y", kFloatTypes)
    .Traits(kElementwise)
    .Infer(InferBinary)
    .Aten("aten::hypot(x1, x2)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    return BinaryFloat(c, [](auto a, auto b) { return std::hypot(a, b); });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(Hypot, Kernel);

}  // namespace ge
