#include "host_kernels/shape_util.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) {
  if (ctx.input(0).dtype() != ctx.input(2).dtype()) return InvalidArgument("MaskedScatter: updates must have the operand's dtype");
  GE_ASSIGN_OR_RETURN(Shape shape, BroadcastShapes(ctx.input(0).shape(), ctx.input(1).shape(), "MaskedScatter"));
  return Types{ValueType::Tensor(ctx.input(0).dtype(), std::move(shape))};
}

}  // namespace

GE_DEFINE_OP(MaskedScatter)
    .Doc("x with the elements where mask is true replaced by the next ones of updates, in order.")
    .Input("x")
    .Input("mask", kBoolType)
    .Input("updates")
    .Output("y")
    .Infer(Infer)
    .Aten("aten::masked_scatter(x, mask, updates)");

}  // namespace ge
