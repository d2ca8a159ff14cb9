#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

GE_DEFINE_OP(Mish)
    .Doc("x * tanh(ln(1 + e^x))")
    .Input("x", kFloatTypes)
    .Output("y", kFloatTypes)
    .Traits(kElementwise)
    .Infer(InferSame)
    .Aten("aten::mish(x)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    return UnaryFloat(c, [](auto x) { return x * std::tanh(std::log1p(std::exp(x))); });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(Mish, Kernel);

}  // namespace ge
