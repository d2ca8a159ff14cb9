#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

GE_DEFINE_OP(LessEqual)
    .Doc("Whether x1 is at most x2")
    .Input("x1", kRealsBool)
    .OptionalInput("x2", kRealsBool)
    .Output("y", kBoolType)
    .Optional("scalar", AttrKind::kScalar)
    .Traits(kElementwise)
    .Infer(InferCompare)
    .Aten("aten::le.Tensor(x1, x2)")
    .Aten("aten::le.Tensor(x1, @scalar)")
    .Aten("aten::le.Scalar(x1, @scalar)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    return BinaryPredicate(c, [](auto a, auto b) { return a <= b; });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(LessEqual, Kernel);

}  // namespace ge
