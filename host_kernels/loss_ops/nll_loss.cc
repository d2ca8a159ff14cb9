// NLLLoss: negative log likelihood.
#include "host_kernels/loss_ops/loss_util.h"

namespace ge {
namespace {

Result<Types> InferNLLLoss(const InferContext& c) {
  GE_RETURN_IF_ERROR(nn::RequireTensors(c));
  GE_RETURN_IF_ERROR(nn::RequireSameDType(c, {0, 2}));
  const Shape& x = c.input(0).shape();
  if (x.empty() || x.size() > 2) return InvalidArgument(StrCat("NLLLoss: x is ", ToString(c.input(0)), ", expected one or two axes"));
  const Shape target = x.size() == 2 ? Shape{x[0]} : Shape{};
  if (x.size() == 1 && c.input(1).rank() == 1) return Unimplemented("NLLLoss: a one-element target for one row");
  GE_RETURN_IF_ERROR(nn::RequireShape(c, 1, target));
  GE_RETURN_IF_ERROR(nn::RequireVector(c, 2, x.back()));
  const std::string reduction = c.Str("reduction");
  const DType t = c.input(0).dtype();
  return Types{ValueType::Tensor(t, reduction == "none" ? target : Shape{}), ValueType::Tensor(t, {})};
}

}  // namespace

GE_DEFINE_OP(NLLLoss)
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
    .Infer(InferNLLLoss)
    .Aten("aten::nll_loss_forward(x, target, weight, 0, @ignore_index) if reduction=\"none\"")
    .Aten("aten::nll_loss_forward(x, target, weight, 1, @ignore_index) if reduction=\"mean\"")
    .Aten("aten::nll_loss_forward(x, target, weight, 2, @ignore_index) if reduction=\"sum\"");

}  // namespace ge
