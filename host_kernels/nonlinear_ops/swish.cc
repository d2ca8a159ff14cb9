#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

GE_DEFINE_OP(Swish)
    .Doc("x * sigmoid(x)")
    .Input("x", kFloatTypes | kComplexes)
    .Output("y", kFloatTypes | kComplexes)
    .Traits(kElementwise)
    .Infer(InferSame)
    .Aten("aten::silu(x)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    return UnaryFloat(c, [](auto x) { return x / (decltype(x)(1) + std::exp(-x)); });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(Swish, Kernel);

}  // namespace ge
