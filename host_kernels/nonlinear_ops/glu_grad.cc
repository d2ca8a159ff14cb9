#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

namespace {

Result<Types> Infer(const InferContext& ctx) {
  GE_RETURN_IF_ERROR(CheckSameDType(ctx, 0, 1));
  return Types{ValueType::Tensor(ctx.input(1).dtype(), ctx.input(1).shape())};
}

}  // namespace

GE_DEFINE_OP(GLUGrad)
    .Doc("Gradient of GLU")
    .Input("y_grad", kFloatTypes)
    .Input("x", kFloatTypes)
    .Output("x_grad", kFloatTypes)
    .Required("dim", AttrKind::kInt)
    .Traits(kTraitNone)
    .Infer(Infer)
    .Aten("aten::glu_backward(y_grad, x, @dim)");

}  // namespace ge
