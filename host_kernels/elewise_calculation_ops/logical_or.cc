#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

GE_DEFINE_OP(LogicalOr)
    .Doc("Whether any is non-zero")
    .Input("x1", kAll)
    .Input("x2", kAll)
    .Output("y", kBoolType)
    .Traits(kElementwise | kCommutative)
    .Infer(InferCompare)
    .Aten("aten::logical_or(x1, x2)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    return BinaryPredicate(c, [](auto a, auto b) { return (a != 0) || (b != 0); });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(LogicalOr, Kernel);

}  // namespace ge
