#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

GE_DEFINE_OP(NotEqual)
    .Doc("Whether x1 differs from x2")
    .Input("x1", kAll)
    .OptionalInput("x2", kAll)
    .Output("y", kBoolType)
    .Optional("scalar", AttrKind::kScalar)
    .Traits(kElementwise | kCommutative)
    .Infer(InferCompare)
    .Aten("aten::ne.Tensor(x1, x2)")
    .Aten("aten::ne.Tensor(x1, @scalar)")
    .Aten("aten::ne.Scalar(x1, @scalar)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    const DType t = CommonDType(c);
    return DispatchAll(c, t, [&]<typename C>(Tag<C>) {
      Map(c.outputs[0], [](C a, C b) { return a != b; }, LoadOrScalar<C>(c, 0, t), LoadOrScalar<C>(c, 1, t));
    });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(NotEqual, Kernel);

}  // namespace ge
