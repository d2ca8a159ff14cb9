#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

GE_DEFINE_OP(HardSwish)
    .Doc("x * min(max(x + 3, 0), 6) / 6")
    .Input("x", kFloatTypes)
    .Output("y", kFloatTypes)
    .Traits(kElementwise)
    .Infer(InferSame)
    .Aten("aten::hardswish(x)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    return UnaryFloat(c, [](auto x) { return x * Min(Max(x + decltype(x)(3), decltype(x)(0)), decltype(x)(6)) / decltype(x)(6); });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(HardSwish, Kernel);

}  // namespace ge
