// NLLLoss2D: negative log likelihood at each place of an image.
#include "host_kernels/loss_ops/loss_util.h"

namespace ge {
namespace {

Result<Types> InferNLLLoss2D(const InferContext& c) {
  GE_RETURN_IF_ERROR(nn::RequireTensors(c));
  GE_RETURN_IF_ERROR(nn::RequireSameDType(c, {0, 2}));
  const Shape& x = c.input(0).shape();
  GE_RETURN_IF_ERROR(nn::RequireRank(c, 0, 4));
  const Shape target = {x[0], x[2], x[3]};
  GE_RETURN_IF_ERROR(nn::RequireShape(c, 1, target));
  GE_RETURN_IF_ERROR(nn::RequireVector(c, 2, x[1]));
  const std::string reduction = c.Str("reduction");
  const DType t = c.input(0).dtype();
  return Types{ValueType::Tensor(t, reduction == "none" ? target : Shape{}), ValueType::Tensor(t, {})};
}

}  // namespace

GE_DEFINE_OP(NLLLoss2D)
    .Doc(
        "-x[target] * weight[target] for each element of target other than ignore_index; kept, averaged by the summed weights, or summed. "
        "Also that sum of weights.")
    .Input("x", kFloatTypes)
    .Input("target", kI64Type)
    .OptionalInput("weight", kFloatTypes)
    .Output("y", kFloatTypes)
    .Output("total_weight", kFloatTypes)
    .String("reduction", "mean")
    .Int("ignore_index", -100)
    .Infer(InferNLLLoss2D)
    .Aten("aten::nll_loss2d_forward(x, target, weight, 0, @ignore_index) if reduction=\"none\"")
    .Aten("aten::nll_loss2d_forward(x, target, weight, 1, @ignore_index) if reduction=\"mean\"")
    .Aten("aten::nll_loss2d_forward(x, target, weight, 2, @ignore_index) if reduction=\"sum\"");

}  // namespace ge
