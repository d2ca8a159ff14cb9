// NLLLoss2DGrad: the gradient of NLLLoss2D.
#include "host_kernels/loss_ops/loss_util.h"

namespace ge {
namespace {

Result<Types> InferNLLLoss2DGrad(const InferContext& c) {
  GE_RETURN_IF_ERROR(nn::RequireTensors(c));
  GE_RETURN_IF_ERROR(nn::RequireSameDType(c, {0, 1, 3, 4}));
  return Types{ValueType::Tensor(c.input(0).dtype(), c.input(0).shape())};
}

}  // namespace

GE_DEFINE_OP(NLLLoss2DGrad)
    .Doc("Gradient of NLLLoss2D with respect to x, times y_grad.")
    .Input("x", kFloatTypes)
    .Input("y_grad", kFloatTypes)
    .Input("target", kI64Type)
    .OptionalInput("weight", kFloatTypes)
    .Input("total_weight", kFloatTypes)
    .Output("x_grad", kFloatTypes)
    .String("reduction", "mean")
    .Int("ignore_index", -100)
    .Infer(InferNLLLoss2DGrad)
    .Aten("aten::nll_loss2d_backward(y_grad, x, target, weight, 0, @ignore_index, total_weight) if reduction=\"none\"")
    .Aten("aten::nll_loss2d_backward(y_grad, x, target, weight, 1, @ignore_index, total_weight) if reduction=\"mean\"")
    .Aten("aten::nll_loss2d_backward(y_grad, x, target, weight, 2, @ignore_index, total_weight) if reduction=\"sum\"");

}  // namespace ge
