#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

GE_DEFINE_OP(Atan2)
    .Doc("Angle of the point (x2, x1); integers and bool give f32")
    .Input("x1", kRealsBool)
    .Input("x2", kRealsBool)
    .Output("y", kFloatTypes)
    .Traits(kElementwise)
    .Infer(InferBinaryFloat)
    .Aten("aten::atan2(x1, x2)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    return BinaryFloat(c, [](auto a, auto b) { return std::atan2(a, b); });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(Atan2, Kernel);

}  // namespace ge
