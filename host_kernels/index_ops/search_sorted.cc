#include "host_kernels/shape_util.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) {
  const ValueType &sequence = ctx.input(0), &values = ctx.input(1);
  if (sequence.dtype() != values.dtype()) return InvalidArgument("SearchSorted: sequence and values must have one dtype");
  if (sequence.rank() == 0) return InvalidArgument("SearchSorted: the sequence needs an axis");
  return Types{ValueType::Tensor(ctx.Bool("out_int32") ? DType::kI32 : DType::kI64, values.shape())};
}

}  // namespace

GE_DEFINE_OP(SearchSorted)
    .Doc("For every value the position in the sorted sequence (along its last axis) where it keeps the order.")
    .Input("sorted_sequence", kRealTypes)
    .Input("values", kRealTypes)
    .OptionalInput("sorter", kI64Type)
    .Output("out", kIndexTypes)
    .Bool("out_int32", false)
    .Bool("right", false)
    .Optional("side", AttrKind::kString)
    .Infer(Infer)
    .Aten("aten::searchsorted.Tensor(sorted_sequence, values, @out_int32, @right, @side, sorter)");

}  // namespace ge
