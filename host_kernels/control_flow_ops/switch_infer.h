#pragma once
// What Switch and RefSwitch share.
#include "host_kernels/shape_util.h"

namespace ge {

// Both outputs have the type of `data`; `pred` holds one bool.
inline Result<Types> InferSwitch(const InferContext& ctx) {
  if (!ctx.input(0).IsTensor() || !ctx.input(1).IsTensor()) return Unimplemented(StrCat(ctx.op.name, " takes tensors"));
  if (CertainlyDifferent(ctx.input(1).NumElements(), Dim(1)))
    return InvalidArgument(StrCat(ctx.op.name, ": 'pred' must hold one element, found ", ToString(ctx.input(1))));
  const ValueType y = ValueType::Tensor(ctx.input(0).dtype(), ctx.input(0).shape());
  return Types{y, y};
}

}  // namespace ge
