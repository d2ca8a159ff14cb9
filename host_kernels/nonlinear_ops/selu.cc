#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

GE_DEFINE_OP(Selu)
    .Doc("Self-normalising Elu with PyTorch's constants")
    .Input("x", kFloatTypes)
    .Output("y", kFloatTypes)
    .Traits(kElementwise)
    .Infer(InferSame)
    .Aten("aten::selu(x)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    return UnaryFloat(c, [](auto x) {
      using C = decltype(x);
      constexpr double alpha = 1.6732632423543772848170429916717, scale = 1.0507009873554804934193349852946;
      return x < 0 ? std::expm1(x) * (static_cast<C>(alpha) * static_cast<C>(scale)) : x * static_cast<C>(scale);
    });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(Selu, Kernel);

}  // namespace ge
