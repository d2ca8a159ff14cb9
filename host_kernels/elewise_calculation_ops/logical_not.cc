#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

GE_DEFINE_OP(LogicalNot)
    .Doc("Whether x is zero")
    .Input("x", kAll)
    .Output("y", kBoolType)
    .Traits(kElementwise)
    .Infer(InferPredicate)
    .Aten("aten::logical_not(x)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    return UnaryPredicate(c, [](auto x) { return x == 0; });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(LogicalNot, Kernel);

}  // namespace ge
