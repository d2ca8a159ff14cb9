#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

// Not commutative: of 0 and -0 the first operand is taken.
GE_DEFINE_OP(Maximum)
    .Doc("The larger operand; NaN wins")
    .Input("x1", kRealsBool)
    .Input("x2", kRealsBool)
    .Output("y", kRealsBool)
    .Traits(kElementwise)
    .Infer(InferBinary)
    .Aten("aten::maximum(x1, x2)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    return BinaryReal(c, [](auto a, auto b) { return Max(a, b); });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(Maximum, Kernel);

}  // namespace ge
