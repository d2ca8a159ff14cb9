#include "host_kernels/nn_ops/resize.h"

namespace ge::nn {
namespace {

// Only the batch may be empty, and output extents must be positive.
Status RequireFilled(const InferContext& ctx, const Shape& shape) {
  for (size_t d = 1; d < shape.size(); ++d)
    if (shape[d].IsConst() && shape[d].value() <= 0)
      return InvalidArgument(
          StrCat(ctx.op.name, ": only the batch may be empty, found ", ToString(ValueType::Tensor(ctx.input(0).dtype(), shape))));
  return {};
}

}  // namespace

Result<Types> InferResize(const InferContext& ctx, size_t n) {
  GE_RETURN_IF_ERROR(RequireTensors(ctx, 1));
  GE_RETURN_IF_ERROR(RequireRank(ctx, 0, static_cast<int64_t>(n) + 2));
  GE_ASSIGN_OR_RETURN(const std::vector<Dim> size, OperandDims(ctx, 1));
  if (size.size() != n) return InvalidArgument(StrCat(ctx.op.name, ": size has ", size.size(), " numbers, expected ", n));
  Shape y = ctx.input(0).shape();
  GE_RETURN_IF_ERROR(RequireFilled(ctx, y));
  for (size_t d = 0; d < n; ++d) y[d + 2] = size[d];
  GE_RETURN_IF_ERROR(RequireFilled(ctx, y));
  return Types{ValueType::Tensor(ctx.input(0).dtype(), std::move(y))};
}

Result<Types> InferResizeGrad(const InferContext& ctx, size_t n) {
  GE_RETURN_IF_ERROR(RequireTensors(ctx, 1));
  GE_RETURN_IF_ERROR(RequireRank(ctx, 0, static_cast<int64_t>(n) + 2));
  GE_ASSIGN_OR_RETURN(const std::vector<Dim> input_size, OperandDims(ctx, 2));
  if (input_size.size() != n + 2)
    return InvalidArgument(StrCat(ctx.op.name, ": input_size has ", input_size.size(), " numbers, expected ", n + 2));
  const Shape x(input_size.begin(), input_size.end());
  GE_RETURN_IF_ERROR(RequireFilled(ctx, x));
  return Types{ValueType::Tensor(ctx.input(0).dtype(), x)};
}

}  // namespace ge::nn
