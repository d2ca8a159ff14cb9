#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

GE_DEFINE_OP(Log1p)
    .Doc("ln(1 + x), exact near 0; integers and bool give f32")
    .Input("x", kAll)
    .Output("y", kFloatTypes | kComplexes)
    .Traits(kElementwise)
    .Infer(InferFloat)
    .Aten("aten::log1p(x)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    return UnaryFloat(c, [](auto x) { return std::log1p(x); });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(Log1p, Kernel);

}  // namespace ge
