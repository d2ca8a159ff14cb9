#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

// aten::square of a bool tensor gives i64: left to the fallback.
GE_DEFINE_OP(Square).Doc("x * x").Input("x", kNumbers).Output("y", kNumbers).Traits(kElementwise).Infer(InferSame).Aten("aten::square(x)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    return UnaryReal(c, [](auto x) { return WrapMul(x, x); });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(Square, Kernel);

}  // namespace ge
