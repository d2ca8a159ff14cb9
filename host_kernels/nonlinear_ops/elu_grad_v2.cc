#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

namespace {

Result<Types> Infer(const InferContext& ctx) {
  GE_ASSIGN_OR_RETURN(Types y, InferBroadcast(ctx));
  GE_RETURN_IF_ERROR(CheckScalars(ctx, y[0].dtype(), {"alpha", "scale", "input_scale"}));
  if (ctx.Bool("is_result") && ctx.Float("alpha") < 0)
    return InvalidArgument("the gradient of an in-place elu with a negative alpha cannot be told from its result");
  return y;
}

}  // namespace

GE_DEFINE_OP(EluGradV2)
    .Doc("Gradient of Elu; activations are its result where is_result, else its input")
    .Input("grads", kFloatTypes)
    .Input("activations", kFloatTypes)
    .Output("y", kFloatTypes)
    .Required("alpha", AttrKind::kScalar)
    .Required("scale", AttrKind::kScalar)
    .Required("input_scale", AttrKind::kScalar)
    .Bool("is_result", false)
    .Traits(kElementwise)
    .Infer(Infer)
    .Aten("aten::elu_backward(grads, @alpha, @scale, @input_scale, @is_result, activations)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    const ValueType& y = c.outputs[0].type();
    const bool is_result = c.node.Bool("is_result");
    return DispatchFloat(c, y.dtype(), [&]<typename C>(Tag<C>) {
      const C scale = Param<C>(c, "scale"), input_scale = Param<C>(c, "input_scale"), negative = Param<C>(c, "alpha") * scale;
      Map(
          c.outputs[0],
          [&](C grad, C x) {
            if (x > 0) return grad * scale;
            return is_result ? grad * input_scale * (x + negative) : grad * input_scale * negative * std::exp(x * input_scale);
          },
          Load<C>(*In(c, 0), y), Load<C>(*In(c, 1), y));
    });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(EluGradV2, Kernel);

}  // namespace ge
