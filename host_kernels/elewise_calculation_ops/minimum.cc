#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

// Not commutative: of 0 and -0 the second operand is taken, as PyTorch's vector loops do (its scalar tails take the first).
GE_DEFINE_OP(Minimum)
    .Doc("The smaller operand; NaN wins")
    .Input("x1", kRealsBool)
    .Input("x2", kRealsBool)
    .Output("y", kRealsBool)
    .Traits(kElementwise)
    .Infer(InferBinary)
    .Aten("aten::minimum(x1, x2)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    return BinaryReal(c, [](auto a, auto b) { return Min(b, a); });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(Minimum, Kernel);

}  // namespace ge
