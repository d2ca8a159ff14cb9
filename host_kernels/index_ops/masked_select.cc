#include "host_kernels/shape_util.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) {
  GE_RETURN_IF_ERROR(BroadcastShapes(ctx.input(0).shape(), ctx.input(1).shape(), "MaskedSelect").status());
  return Types{ValueType::Tensor(ctx.input(0).dtype(), {Dim::Unknown()})};
}

}  // namespace

GE_DEFINE_OP(MaskedSelect)
    .Doc("The elements of x where mask, broadcast together with x, is true; how many is known at run time.")
    .Input("x")
    .Input("mask", kBoolType)
    .Output("y")
    .Infer(Infer)
    .Aten("aten::masked_select(x, mask)");

}  // namespace ge
