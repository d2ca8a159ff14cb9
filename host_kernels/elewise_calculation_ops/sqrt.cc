#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

GE_DEFINE_OP(Sqrt)
    .Doc("Square root; integers and bool give f32")
    .Input("x", kAll)
    .Output("y", kFloatTypes | kComplexes)
    .Traits(kElementwise)
    .Infer(InferFloat)
    .Aten("aten::sqrt(x)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    return UnaryFloat(c, [](auto x) { return std::sqrt(x); });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(Sqrt, Kernel);

}  // namespace ge
