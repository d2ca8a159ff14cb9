#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

GE_DEFINE_OP(Rsqrt)
    .Doc("1 / sqrt(x); integers and bool give f32")
    .Input("x", kAll)
    .Output("y", kFloatTypes | kComplexes)
    .Traits(kElementwise)
    .Infer(InferFloat)
    .Aten("aten::rsqrt(x)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    return UnaryFloat(c, [](auto x) { return decltype(x)(1) / std::sqrt(x); });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(Rsqrt, Kernel);

}  // namespace ge
