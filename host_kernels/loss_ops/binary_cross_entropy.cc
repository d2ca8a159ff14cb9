// BinaryCrossEntropy: cross entropy of probabilities.
#include "host_kernels/loss_ops/loss_util.h"

namespace ge {
namespace {

Result<Types> InferBinaryCrossEntropy(const InferContext& c) {
  GE_RETURN_IF_ERROR(nn::RequireTensors(c));
  GE_RETURN_IF_ERROR(nn::RequireSameDType(c, {0, 1, 2}));
  GE_RETURN_IF_ERROR(nn::RequireShape(c, 1, c.input(0).shape()));
  if (c.has_input(2)) GE_RETURN_IF_ERROR(nn::RequireShape(c, 2, c.input(0).shape()));
  return nn::InferPointwiseLoss(c);
}

}  // namespace

GE_DEFINE_OP(BinaryCrossEntropy)
    .Doc("-(y * log(x) + (1 - y) * log(1 - x)) times weight, the logarithms at least -100; kept, averaged or summed.")
    .Input("x", kFloatTypes)
    .Input("y", kFloatTypes)
    .OptionalInput("weight", kFloatTypes)
    .Output("output", kFloatTypes)
    .String("reduction", "mean")
    .Infer(InferBinaryCrossEntropy)
    .Aten("aten::binary_cross_entropy(x, y, weight, 0) if reduction=\"none\"")
    .Aten("aten::binary_cross_entropy(x, y, weight, 1) if reduction=\"mean\"")
    .Aten("aten::binary_cross_entropy(x, y, weight, 2) if reduction=\"sum\"");

}  // namespace ge
