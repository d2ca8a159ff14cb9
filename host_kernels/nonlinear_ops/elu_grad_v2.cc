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

}  // namespace ge
