#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

GE_DEFINE_OP(Sigmoid)
    .Doc("1 / (1 + e^-x); integers and bool give f32")
    .Input("x", kAll)
    .Output("y", kFloatTypes | kComplexes)
    .Traits(kElementwise)
    .Infer(InferFloat)
    .Aten("aten::sigmoid(x)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    return UnaryFloat(c, [](auto x) { return Sigmoid(x); });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(Sigmoid, Kernel);

}  // namespace ge
