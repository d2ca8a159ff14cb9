#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

GE_DEFINE_OP(Relu)
    .Doc("max(x, 0); NaN and -0 stay")
    .Input("x", kReals)
    .Output("y", kReals)
    .Traits(kElementwise)
    .Infer(InferSame)
    .Aten("aten::relu(x)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    return UnaryReal(c, [](auto x) { return Max(x, decltype(x)(0)); });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(Relu, Kernel);

}  // namespace ge
