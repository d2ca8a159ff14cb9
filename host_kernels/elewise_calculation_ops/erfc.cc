#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

GE_DEFINE_OP(Erfc)
    .Doc("1 - erf(x), exact for large x; integers and bool give f32")
    .Input("x", kRealsBool)
    .Output("y", kFloatTypes)
    .Traits(kElementwise)
    .Infer(InferFloat)
    .Aten("aten::erfc(x)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    return UnaryFloat(c, [](auto x) { return std::erfc(x); });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(Erfc, Kernel);

}  // namespace ge
