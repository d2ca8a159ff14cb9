#include "host_kernels/array_ops/factory.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) {
  GE_ASSIGN_OR_RETURN(Shape shape, FactoryShape(ctx, 0));
  return Types{ValueType::Tensor(DTypeOr(ctx, DType::kF32), std::move(shape))};
}

}  // namespace

GE_DEFINE_OP(RandomUniform)
    .Doc("Uniform numbers of [0, 1) from the default generator.")
    .Input("shape", kIndexTypes)
    .Output("y")
    .Optional("dtype", AttrKind::kType)
    .Traits(kRandom)
    .Infer(Infer)
    .GE_FACTORY_ROWS("aten::rand(#shape, @dtype, ", ")");

}  // namespace ge
