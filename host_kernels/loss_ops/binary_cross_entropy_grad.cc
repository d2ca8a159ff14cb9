// BinaryCrossEntropyGrad: the gradient of BinaryCrossEntropy.
#include "host_kernels/loss_ops/loss_util.h"

namespace ge {
namespace {

Result<Types> InferBinaryCrossEntropyGrad(const InferContext& c) {
  if (c.has_input(3) && c.input(3).IsTensor()) {
    GE_RETURN_IF_ERROR(nn::RequireSameDType(c, {0, 3}));
    GE_RETURN_IF_ERROR(nn::RequireShape(c, 3, c.input(0).shape()));
  }
  return nn::InferPointwiseLossGrad(c, 0);
}

}  // namespace

GE_DEFINE_OP(BinaryCrossEntropyGrad)
    .Doc("Gradient of BinaryCrossEntropy with respect to x, times grad_output.")
    .Input("x", kFloatTypes)
    .Input("y", kFloatTypes)
    .Input("grad_output", kFloatTypes)
    .OptionalInput("weight", kFloatTypes)
    .Output("output", kFloatTypes)
    .String("reduction", "mean")
    .Infer(InferBinaryCrossEntropyGrad)
    .Aten("aten::binary_cross_entropy_backward(grad_output, x, y, weight, 0) if reduction=\"none\"")
    .Aten("aten::binary_cross_entropy_backward(grad_output, x, y, weight, 1) if reduction=\"mean\"")
    .Aten("aten::binary_cross_entropy_backward(grad_output, x, y, weight, 2) if reduction=\"sum\"");

}  // namespace ge
