#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

GE_DEFINE_OP(LogicalXor)
    .Doc("Whether exactly one is non-zero")
    .Input("x1", kAll)
    .Input("x2", kAll)
    .Output("y", kBoolType)
    .Traits(kElementwise | kCommutative)
    .Infer(InferCompare)
    .Aten("aten::logical_xor(x1, x2)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    return BinaryPredicate(c, [](auto a, auto b) { return (a != 0) != (b != 0); });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(LogicalXor, Kernel);

}  // namespace ge
