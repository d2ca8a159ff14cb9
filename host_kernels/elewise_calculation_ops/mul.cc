#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

GE_DEFINE_OP(Mul)
    .Doc("x1 * x2 (and for bool); integers wrap")
    .Input("x1", kAll)
    .Input("x2", kAll)
    .Output("y", kAll)
    .Traits(kElementwise | kCommutative)
    .Infer(InferBinary)
    .Aten("aten::mul.Tensor(x1, x2)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    return BinaryReal(c, [](auto a, auto b) { return WrapMul(a, b); });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(Mul, Kernel);

}  // namespace ge
