#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

namespace {

Result<Types> Infer(const InferContext& ctx) {
  GE_ASSIGN_OR_RETURN(Types y, InferBroadcast(ctx));
  GE_RETURN_IF_ERROR(CheckScalars(ctx, y[0].dtype(), {"lambd"}));
  return y;
}

}  // namespace

GE_DEFINE_OP(HardShrinkGrad)
    .Doc("Gradient of HardShrink: 0 inside the band")
    .Input("gradients", kFloatTypes)
    .Input("features", kFloatTypes)
    .Output("backprops", kFloatTypes)
    .Required("lambd", AttrKind::kScalar)
    .Traits(kElementwise)
    .Infer(Infer)
    .Aten("aten::hardshrink_backward(gradients, features, @lambd)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    const ValueType& y = c.outputs[0].type();
    return DispatchFloat(c, y.dtype(), [&]<typename C>(Tag<C>) {
      const C lambd = Param<C>(c, "lambd");
      Map(
          c.outputs[0], [&](C gradients, C features) { return features < -lambd || features > lambd ? gradients : C(0); },
          Load<C>(*In(c, 0), y), Load<C>(*In(c, 1), y));
    });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(HardShrinkGrad, Kernel);

}  // namespace ge
