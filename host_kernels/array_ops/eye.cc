#include "host_kernels/array_ops/factory.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) {
  const Attr columns = ctx.attr("num_columns");
  const int64_t rows = ctx.Int("num_rows"), m = columns.IsNone() ? rows : ctx.Int("num_columns");
  if (rows < 0 || m < 0) return InvalidArgument(StrCat("Eye: ", rows, " rows and ", m, " columns; expected 0 or more"));
  return Types{ValueType::Tensor(DTypeOr(ctx, DType::kF32), {rows, m})};
}

}  // namespace

GE_DEFINE_OP(Eye)
    .Doc("Ones on the diagonal of a matrix, zeros elsewhere.")
    .Output("y")
    .Required("num_rows", AttrKind::kInt)
    .Optional("num_columns", AttrKind::kInt)
    .Optional("dtype", AttrKind::kType)
    .Infer(Infer)
    .GE_FACTORY_ROWS("aten::eye(@num_rows, @dtype, ", ")")
    .GE_FACTORY_ROWS("aten::eye.m(@num_rows, @num_columns, @dtype, ", ")");

}  // namespace ge
