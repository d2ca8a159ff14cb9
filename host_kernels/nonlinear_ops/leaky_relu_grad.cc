#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

namespace {

Result<Types> Infer(const InferContext& ctx) {
  GE_ASSIGN_OR_RETURN(Types y, InferBroadcast(ctx));
  GE_RETURN_IF_ERROR(CheckScalars(ctx, y[0].dtype(), {"negative_slope"}));
  if (ctx.Bool("self_is_result") && ctx.Float("negative_slope") < 0)
    return InvalidArgument("the gradient of an in-place leaky_relu with a negative slope cannot be told from its result");
  return y;
}

}  // namespace

GE_DEFINE_OP(LeakyReluGrad)
    .Doc("Gradient of LeakyRelu; features are its input, or its result where self_is_result")
    .Input("gradients", kFloatTypes)
    .Input("features", kFloatTypes)
    .Output("backprops", kFloatTypes)
    .Required("negative_slope", AttrKind::kScalar)
    .Bool("self_is_result", false)
    .Traits(kElementwise)
    .Infer(Infer)
    .Aten("aten::leaky_relu_backward(gradients, features, @negative_slope, @self_is_result)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    const ValueType& y = c.outputs[0].type();
    return DispatchFloat(c, y.dtype(), [&]<typename C>(Tag<C>) {
      const C negative_slope = Param<C>(c, "negative_slope");
      Map(
          c.outputs[0], [&](C gradients, C features) { return features > 0 ? gradients : gradients * negative_slope; },
          Load<C>(*In(c, 0), y), Load<C>(*In(c, 1), y));
    });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(LeakyReluGrad, Kernel);

}  // namespace ge
