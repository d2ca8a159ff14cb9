#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

GE_DEFINE_OP(Frac)
    .Doc("x - trunc(x)")
    .Input("x", kFloatTypes)
    .Output("y", kFloatTypes)
    .Traits(kElementwise)
    .Infer(InferSame)
    .Aten("aten::frac(x)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    return UnaryFloat(c, [](auto x) { return x - std::trunc(x); });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(Frac, Kernel);

}  // namespace ge
