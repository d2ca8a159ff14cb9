#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

GE_DEFINE_OP(Atanh)
    .Doc("Inverse hyperbolic tangent; integers and bool give f32")
    .Input("x", kAll)
    .Output("y", kFloatTypes | kComplexes)
    .Traits(kElementwise)
    .Infer(InferFloat)
    .Aten("aten::atanh(x)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    return UnaryFloat(c, [](auto x) { return std::atanh(x); });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(Atanh, Kernel);

}  // namespace ge
