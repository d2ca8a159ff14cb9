#include "host_kernels/array_ops/factory.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) {
  GE_ASSIGN_OR_RETURN(Shape shape, FactoryShape(ctx, 0));
  return Types{ValueType::Tensor(DTypeOr(ctx, ctx.has_input(2) ? ctx.input(2).dtype() : DType::kF32), std::move(shape))};
}

}  // namespace

GE_DEFINE_OP(EmptyStrided)
    .Doc("A tensor of the given shape and strides with unspecified content.")
    .Input("shape", kIndexTypes)
    .Input("stride", kIndexTypes)
    .OptionalInput("like")
    .Output("y")
    .Optional("dtype", AttrKind::kType)
    .Infer(Infer)
    .GE_FACTORY_ROWS("aten::empty_strided(#shape, #stride, @dtype, ", ")")
    .Aten("aten::new_empty_strided(like, #shape, #stride, @dtype, none, none, none)")
    .Aten("aten::new_empty_strided(like, #shape, #stride, @dtype, none, none, false)");

}  // namespace ge
