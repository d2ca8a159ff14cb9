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

GE_DEFINE_OP(SoftShrinkGrad)
    .Doc("Gradient of SoftShrink: 0 inside the band")
    .Input("input_grad", kFloatTypes)
    .Input("input_x", kFloatTypes)
    .Output("output_y", kFloatTypes)
    .Required("lambd", AttrKind::kScalar)
    .Traits(kElementwise)
    .Infer(Infer)
    .Aten("aten::softshrink_backward(input_grad, input_x, @lambd)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    const ValueType& y = c.outputs[0].type();
    return DispatchFloat(c, y.dtype(), [&]<typename C>(Tag<C>) {
      const C lambd = Param<C>(c, "lambd");
      Map(
          c.outputs[0], [&](C input_grad, C input_x) { return input_x < -lambd || input_x > lambd ? input_grad : C(0); },
          Load<C>(*In(c, 0), y), Load<C>(*In(c, 1), y));
    });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(SoftShrinkGrad, Kernel);

}  // namespace ge
