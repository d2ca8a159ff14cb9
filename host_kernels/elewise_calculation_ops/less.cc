#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

GE_DEFINE_OP(Less)
    .Doc("Whether x1 is less than x2")
    .Input("x1", kRealsBool)
    .OptionalInput("x2", kRealsBool)
    .Output("y", kBoolType)
    .Optional("scalar", AttrKind::kScalar)
    .Traits(kElementwise)
    .Infer(InferCompare)
    .Aten("aten::lt.Tensor(x1, x2)")
    .Aten("aten::lt.Tensor(x1, @scalar)")
    .Aten("aten::lt.Scalar(x1, @scalar)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    return BinaryPredicate(c, [](auto a, auto b) { return a < b; });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(Less, Kernel);

}  // namespace ge
