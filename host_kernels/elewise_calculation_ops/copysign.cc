#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

GE_DEFINE_OP(Copysign)
    .Doc("The magnitude of x1 with the sign of x2; integers and bool give f32")
    .Input("x1", kRealsBool)
    .OptionalInput("x2", kRealsBool)
    .Output("y", kFloatTypes)
    .Optional("scalar", AttrKind::kScalar)
    .Traits(kElementwise)
    .Infer(InferBinaryFloat)
    .Aten("aten::copysign.Tensor(x1, x2)")
    .Aten("aten::copysign.Tensor(x1, @scalar)")
    .Aten("aten::copysign.Scalar(x1, @scalar)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    return BinaryFloat(c, [](auto a, auto b) { return std::copysign(a, b); });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(Copysign, Kernel);

}  // namespace ge
