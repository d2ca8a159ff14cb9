// BatchNormV3: the training form of batch normalisation, with updated running statistics as results.
#include "host_kernels/norm_ops/batch_norm_kernel.h"

namespace ge {
namespace {

Result<Types> InferBatchNormV3(const InferContext& c) {
  GE_RETURN_IF_ERROR(nn::RequireBatchNormOperands(c, 1));
  const ValueType& x = c.input(0);
  // In lower precision FakeTensor and the CPU kernel disagree on the dtype of the running statistics.
  if (x.dtype() != DType::kF32 && x.dtype() != DType::kF64)
    return Unimplemented(StrCat("BatchNormV3: x is ", ToString(x), ", expected f32 or f64"));
  const bool training = c.Bool("is_training");
  if (training && x.NumElements().Is(0)) return InvalidArgument(StrCat("BatchNormV3: statistics of an empty input ", ToString(x)));
  const ValueType running = ValueType::Tensor(x.dtype(), {x.shape()[1]});
  const ValueType saved = ValueType::Tensor(x.dtype(), {training ? x.shape()[1] : Dim(0)});
  return Types{ValueType::Tensor(x.dtype(), x.shape()), running, running, saved, saved};
}

}  // namespace

GE_DEFINE_OP(BatchNormV3)
    .Doc(
        "Batch normalisation by the batch's statistics (is_training) or the running ones; returns the running statistics after the update "
        "and "
        "the saved mean and 1 / sqrt(variance + epsilon), which are empty without is_training.")
    .Input("x", kFloatTypes)
    .OptionalInput("weight", kFloatTypes)
    .OptionalInput("bias", kFloatTypes)
    .Input("running_mean", kFloatTypes)
    .Input("running_var", kFloatTypes)
    .Output("y", kFloatTypes)
    .Output("running_mean", kFloatTypes)
    .Output("running_var", kFloatTypes)
    .Output("save_mean", kFloatTypes)
    .Output("save_rstd", kFloatTypes)
    .Float("epsilon", 1e-5)
    .Float("momentum", 0.1)
    .Bool("is_training", true)
    .Infer(InferBatchNormV3)
    .Aten(
        "aten::_native_batch_norm_legit_functional(x, weight, bias, running_mean, running_var, @is_training, @momentum, @epsilon) "
        "-> y, save_mean, save_rstd, running_mean, running_var");

}  // namespace ge
