#include "host_kernels/shape_util.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) {
  const ValueType& x = ctx.input(0);
  if (x.rank() < 1 || x.rank() > 2) return InvalidArgument(StrCat("MultinomialWithReplacement: expected 1 or 2 axes, found ", x.rank()));
  Shape shape = x.shape();
  shape.back() = ctx.Int("numsamples");
  return Types{ValueType::Tensor(DType::kI64, std::move(shape))};
}

}  // namespace

GE_DEFINE_OP(MultinomialWithReplacement)
    .Doc("numsamples positions drawn by the weights in each row of x, with or without replacement.")
    .Input("x", kFloatTypes)
    .Output("y", kI64Type)
    .Required("numsamples", AttrKind::kInt)
    .Bool("replacement", false)
    .Traits(kRandom)
    .Infer(Infer)
    .Aten("aten::multinomial(x, @numsamples, @replacement)");

}  // namespace ge
