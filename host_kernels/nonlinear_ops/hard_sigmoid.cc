#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

GE_DEFINE_OP(HardSigmoid)
    .Doc("min(max(x + 3, 0), 6) / 6")
    .Input("input_x", kFloatTypes)
    .Output("output_y", kFloatTypes)
    .Traits(kElementwise)
    .Infer(InferSame)
    .Aten("aten::hardsigmoid(input_x)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    return UnaryFloat(c, [](auto x) { return Min(Max(x + decltype(x)(3), decltype(x)(0)), decltype(x)(6)) / decltype(x)(6); });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(HardSigmoid, Kernel);

}  // namespace ge
