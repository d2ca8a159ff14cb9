#include "host_kernels/array_ops/factory.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) {
  GE_ASSIGN_OR_RETURN(Shape shape, FactoryShape(ctx, 2));
  return Types{ValueType::Tensor(DTypeOr(ctx, DType::kI64), std::move(shape))};
}

}  // namespace

GE_DEFINE_OP(RandomUniformInt)
    .Doc("Integers of [low, high) from the default generator; i64 unless dtype says otherwise.")
    .OptionalInput("low", kIndexTypes)
    .Input("high", kIndexTypes)
    .Input("shape", kIndexTypes)
    .Output("y")
    .Optional("dtype", AttrKind::kType)
    .Traits(kRandom)
    .Infer(Infer)
    .Aten("aten::randint(#high.0, #shape)")
    .Aten("aten::randint.low(#low.0, #high.0, #shape)")
    .GE_FACTORY_ROWS("aten::randint(#high.0, #shape, @dtype, ", ")")
    .GE_FACTORY_ROWS("aten::randint.low(#low.0, #high.0, #shape, @dtype, ", ")");

}  // namespace ge
