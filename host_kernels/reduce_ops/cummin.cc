#include "host_kernels/shape_util.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) {
  GE_RETURN_IF_ERROR(NormalizeAxis(ctx.Int("dim"), ctx.input(0).rank(), "Cummin").status());
  return Types{ValueType::Tensor(ctx.input(0).dtype(), ctx.input(0).shape()), ValueType::Tensor(DType::kI64, ctx.input(0).shape())};
}

}  // namespace

GE_DEFINE_OP(Cummin)
    .Doc("Running minima along an axis and where they were met; NaN stays once met.")
    .Input("x", kRealTypes | kBoolType)
    .Output("y")
    .Output("indices", kI64Type)
    .Required("dim", AttrKind::kInt)
    .Infer(Infer)
    .Aten("aten::cummin(x, @dim)");

}  // namespace ge
