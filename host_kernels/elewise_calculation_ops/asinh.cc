#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

GE_DEFINE_OP(Asinh)
    .Doc("Inverse hyperbolic sine; integers and bool give f32")
    .Input("x", kAll)
    .Output("y", kFloatTypes | kComplexes)
    .Traits(kElementwise)
    .Infer(InferFloat)
    .Aten("aten::asinh(x)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    return UnaryFloat(c, [](auto x) { return std::asinh(x); });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(Asinh, Kernel);

}  // namespace ge
