#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

GE_DEFINE_OP(Erf)
    .Doc("Error function; integers and bool give f32")
    .Input("x", kRealsBool)
    .Output("y", kFloatTypes)
    .Traits(kElementwise)
    .Infer(InferFloat)
    .Aten("aten::erf(x)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    return UnaryFloat(c, [](auto x) { return std::erf(x); });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(Erf, Kernel);

}  // namespace ge
