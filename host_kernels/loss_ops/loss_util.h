#pragma once
// What the losses share. `reduction` is AscendIR's string; ATen's rows carry its numbers 0, 1 and 2.
#include "host_kernels/nn_util.h"

namespace ge::nn {

// predict and label broadcast; the loss has that shape for reduction "none" and is a scalar otherwise.
inline Result<Types> InferPointwiseLoss(const InferContext& ctx) {
  GE_RETURN_IF_ERROR(RequireTensors(ctx));
  GE_RETURN_IF_ERROR(RequireSameDType(ctx, {0, 1}));
  GE_ASSIGN_OR_RETURN(Shape shape, BroadcastShapes(ctx.input(0).shape(), ctx.input(1).shape(), ctx.op.name));
  const std::string reduction = ctx.Str("reduction");
  if (reduction != "none" && reduction != "mean" && reduction != "sum")
    return InvalidArgument(StrCat(ctx.op.name, ": reduction is '", reduction, "', expected none, mean or sum"));
  return Types{ValueType::Tensor(ctx.input(0).dtype(), reduction == "none" ? shape : Shape{})};
}

// The gradient of a pointwise loss: the broadcast shape of predict and label, which must be that of predict for the call to be legal.
inline Result<Types> InferPointwiseLossGrad(const InferContext& ctx, int predict) {
  GE_RETURN_IF_ERROR(RequireTensors(ctx));
  for (int i = 0; i < 3; ++i) GE_RETURN_IF_ERROR(RequireSameDType(ctx, {predict, i}));
  GE_RETURN_IF_ERROR(RequireShape(ctx, predict == 0 ? 1 : 2, ctx.input(predict).shape()));
  return Types{ValueType::Tensor(ctx.input(predict).dtype(), ctx.input(predict).shape())};
}

}  // namespace ge::nn
