#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

GE_DEFINE_OP(Expm1)
    .Doc("e^x - 1, exact near 0; integers and bool give f32")
    .Input("x", kAll)
    .Output("y", kFloatTypes | kComplexes)
    .Traits(kElementwise)
    .Infer(InferFloat)
    .Aten("aten::expm1(x)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    return UnaryFloat(c, [](auto x) { return std::expm1(x); });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(Expm1, Kernel);

}  // namespace ge
