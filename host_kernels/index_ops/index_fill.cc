#include "host_kernels/shape_util.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) {
  GE_RETURN_IF_ERROR(NormalizeAxis(ctx.Int("dim"), ctx.input(0).rank(), "IndexFill").status());
  return Types{ValueType::Tensor(ctx.input(0).dtype(), ctx.input(0).shape())};
}

}  // namespace

GE_DEFINE_OP(IndexFill)
    .Doc("x with the listed positions of an axis set to a value.")
    .Input("x")
    .Input("index", kIndexTypes)
    .Output("y")
    .Required("dim", AttrKind::kInt)
    .Required("value", AttrKind::kScalar)
    .Infer(Infer)
    .Aten("aten::index_fill.int_Scalar(x, @dim, index, @value)");

}  // namespace ge
