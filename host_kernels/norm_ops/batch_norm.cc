// BatchNorm: batch normalisation that returns its statistics and updates none.
#include "host_kernels/norm_ops/batch_norm_kernel.h"

namespace ge {
namespace {

Result<Types> InferBatchNorm(const InferContext& c) {
  GE_RETURN_IF_ERROR(nn::RequireBatchNormOperands(c, 1));
  const bool training = c.Bool("is_training");
  if (training == (c.has_input(3) || c.has_input(4)) || c.has_input(3) != c.has_input(4))
    return Unimplemented("BatchNorm: takes mean and variance exactly if is_training is false");
  const Shape& x = c.input(0).shape();
  if (training && c.input(0).NumElements().Is(0))
    return InvalidArgument(StrCat("BatchNorm: statistics of an empty input ", ToString(c.input(0))));
  const DType t = c.input(0).dtype();
  const ValueType statistics = ValueType::Tensor(t, {training ? x[1] : Dim(0)});
  return Types{ValueType::Tensor(t, x), statistics, statistics};
}

}  // namespace

GE_DEFINE_OP(BatchNorm)
    .Doc(
        "Batch normalisation. With is_training the statistics are the batch's own, returned as mean and 1 / sqrt(variance + epsilon); "
        "without, they are given and the returned ones are empty, as ATen has it.")
    .Input("x", kFloatTypes)
    .OptionalInput("scale", kFloatTypes)
    .OptionalInput("offset", kFloatTypes)
    .OptionalInput("mean", kFloatTypes)
    .OptionalInput("variance", kFloatTypes)
    .Output("y", kFloatTypes)
    .Output("batch_mean", kFloatTypes)
    .Output("batch_rstd", kFloatTypes)
    .Float("epsilon", 1e-5)
    .Float("momentum", 0.1)
    .Required("is_training", AttrKind::kBool)
    .Traits(kFollowsLayout)
    .Infer(InferBatchNorm)
    .Aten("aten::_native_batch_norm_legit_no_training(x, scale, offset, mean, variance, @momentum, @epsilon) if is_training=false")
    .Aten("aten::_native_batch_norm_legit.no_stats(x, scale, offset, true, @momentum, @epsilon) if is_training=true");

}  // namespace ge
