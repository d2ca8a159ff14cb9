#include "host_kernels/shape_util.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) {
  const ValueType &x = ctx.input(0), &index = ctx.input(1), &source = ctx.input(2);
  GE_RETURN_IF_ERROR(NormalizeAxis(ctx.Int("dim"), x.rank(), "IndexCopy").status());
  if (x.dtype() != source.dtype()) return InvalidArgument("IndexCopy: the source must have the operand's dtype");
  if (index.rank() > 1 || x.rank() != source.rank()) return Unimplemented("IndexCopy: scalars among the operands");
  return Types{ValueType::Tensor(x.dtype(), x.shape())};
}

}  // namespace

GE_DEFINE_OP(IndexCopy)
    .Doc("x with the listed positions of an axis replaced by source.")
    .Input("x")
    .Input("index", kI64Type)
    .Input("source")
    .Output("y")
    .Required("dim", AttrKind::kInt)
    .Infer(Infer)
    .Aten("aten::index_copy(x, @dim, index, source)");

}  // namespace ge
