#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

GE_DEFINE_OP(GreaterEqual)
    .Doc("Whether x1 is at least x2")
    .Input("x1", kRealsBool)
    .OptionalInput("x2", kRealsBool)
    .Output("y", kBoolType)
    .Optional("scalar", AttrKind::kScalar)
    .Traits(kElementwise)
    .Infer(InferCompare)
    .Aten("aten::ge.Tensor(x1, x2)")
    .Aten("aten::ge.Tensor(x1, @scalar)")
    .Aten("aten::ge.Scalar(x1, @scalar)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    return BinaryPredicate(c, [](auto a, auto b) { return a >= b; });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(GreaterEqual, Kernel);

}  // namespace ge
