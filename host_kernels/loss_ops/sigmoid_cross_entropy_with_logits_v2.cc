// SigmoidCrossEntropyWithLogitsV2: binary cross entropy of logits.
#include "host_kernels/loss_ops/loss_util.h"

namespace ge {
namespace {

Result<Types> InferSigmoidCrossEntropyWithLogitsV2(const InferContext& c) {
  GE_RETURN_IF_ERROR(nn::RequireTensors(c));
  GE_RETURN_IF_ERROR(nn::RequireSameDType(c, {0, 1, 2, 3}));
  GE_RETURN_IF_ERROR(nn::RequireShape(c, 1, c.input(0).shape()));
  for (int i : {2, 3}) {  // weight and pos_weight may broadcast to the loss, not widen it
    if (!c.has_input(i)) continue;
    GE_ASSIGN_OR_RETURN(const Shape wide, BroadcastShapes(c.input(0).shape(), c.input(i).shape(), c.op.name));
    if (wide.size() != c.input(0).shape().size())
      return Unimplemented("SigmoidCrossEntropyWithLogitsV2: a weight of higher rank than the logits");
    for (size_t d = 0; d < wide.size(); ++d)
      if (CertainlyDifferent(wide[d], c.input(0).shape()[d]))
        return Unimplemented("SigmoidCrossEntropyWithLogitsV2: a weight wider than the logits");
  }
  return nn::InferPointwiseLoss(c);
}

}  // namespace

GE_DEFINE_OP(SigmoidCrossEntropyWithLogitsV2)
    .Doc(
        "Binary cross entropy of sigmoid(predict) against target, with optional weights of elements and of the positive class; kept, "
        "averaged or summed.")
    .Input("predict", kFloatTypes)
    .Input("target", kFloatTypes)
    .OptionalInput("weight", kFloatTypes)
    .OptionalInput("pos_weight", kFloatTypes)
    .Output("loss", kFloatTypes)
    .String("reduction", "mean")
    .Infer(InferSigmoidCrossEntropyWithLogitsV2)
    .Aten("aten::binary_cross_entropy_with_logits(predict, target, weight, pos_weight, 0) if reduction=\"none\"")
    .Aten("aten::binary_cross_entropy_with_logits(predict, target, weight, pos_weight, 1) if reduction=\"mean\"")
    .Aten("aten::binary_cross_entropy_with_logits(predict, target, weight, pos_weight, 2) if reduction=\"sum\"");

}  // namespace ge
