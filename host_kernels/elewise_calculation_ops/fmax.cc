#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

GE_DEFINE_OP(Fmax)
    .Doc("The larger operand; a NaN loses")
    .Input("x1", kRealsBool)
    .Input("x2", kRealsBool)
    .Output("y", kRealsBool)
    .Traits(kElementwise)
    .Infer(InferBinary)
    .Aten("aten::fmax(x1, x2)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    return BinaryReal(c, [](auto a, auto b) {
      if constexpr (std::is_floating_point_v<decltype(a)>) {
        if (std::isnan(a)) return b;
        if (std::isnan(b)) return a;
      }
      return Max(a, b);
    });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(Fmax, Kernel);

}  // namespace ge
