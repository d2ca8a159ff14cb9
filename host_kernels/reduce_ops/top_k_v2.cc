#include "host_kernels/reduce_ops/reduce_util.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) {
  const ValueType& x = ctx.input(0);
  GE_ASSIGN_OR_RETURN(const int64_t axis, NormalizeAxis(ctx.Int("dim"), x.rank(), "TopKV2"));
  const Dim k = OperandDim(ctx, 1).value_or(Dim::Unknown()), extent = x.rank() == 0 ? Dim(1) : x.shape()[static_cast<size_t>(axis)];
  if (k.IsConst() && (k.value() < 0 || (extent.IsConst() && k.value() > extent.value())))
    return InvalidArgument(StrCat("TopKV2: k is ", k.value(), "; expected 0 to ", extent.ToString(), ", the extent of axis ", axis));
  Shape shape = x.shape();
  if (x.rank() > 0) shape[static_cast<size_t>(axis)] = k;
  return Types{ValueType::Tensor(x.dtype(), shape), ValueType::Tensor(DType::kI64, shape)};
}

}  // namespace

// No reference kernel: which of equal elements ATen takes, and the order with sorted = false, is its own.
GE_DEFINE_OP(TopKV2)
    .Doc("The k greatest (or least) elements along an axis and where they came from.")
    .Input("x", kRealTypes)
    .Input("k", kIndexTypes)
    .Output("values")
    .Output("indices", kI64Type)
    .Bool("sorted", true)
    .Int("dim", -1)
    .Bool("largest", true)
    .Infer(Infer)
    .Aten("aten::topk(x, #k.0, @dim, @largest, @sorted)");

}  // namespace ge
