#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

GE_DEFINE_OP(Fmin)
    .Doc("The smaller operand; a NaN loses")
    .Input("x1", kRealsBool)
    .Input("x2", kRealsBool)
    .Output("y", kRealsBool)
    .Traits(kElementwise)
    .Infer(InferBinary)
    .Aten("aten::fmin(x1, x2)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    return BinaryReal(c, [](auto a, auto b) {
      if constexpr (std::is_floating_point_v<decltype(a)>) {
        if (std::isnan(a)) return b;
        if (std::isnan(b)) return a;
      }
      return Min(a, b);
    });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(Fmin, Kernel);

}  // namespace ge
