#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

GE_DEFINE_OP(RealDiv)
    .Doc("x1 / x2 in floating point; integers and bool give f32")
    .Input("x1", kAll)
    .OptionalInput("x2", kAll)
    .Output("y", kFloatTypes | kComplexes)
    .Optional("scalar", AttrKind::kScalar)
    .Traits(kElementwise)
    .Infer(InferBinaryFloat)
    .Aten("aten::div.Tensor(x1, x2)")
    .Aten("aten::div.Tensor(x1, @scalar)")
    .Aten("aten::div.Scalar(x1, @scalar)")
    .Aten("aten::div.Tensor_mode(x1, x2, none)")
    .Aten("aten::div.Tensor_mode(x1, @scalar, none)")
    .Aten("aten::div.Scalar_mode(x1, @scalar, none)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    return BinaryFloat(c, [](auto a, auto b) { return a / b; }, ScalarIs::kExact);
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(RealDiv, Kernel);

}  // namespace ge
