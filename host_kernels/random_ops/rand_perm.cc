#include "host_kernels/array_ops/factory.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) {
  const Dim n = OperandDim(ctx, 0).value_or(Dim::Unknown());
  if (n.IsConst() && n.value() < 0) return InvalidArgument(StrCat("RandPerm: n is ", n.value(), "; expected 0 or more"));
  return Types{ValueType::Tensor(DTypeOr(ctx, DType::kI64), {n})};
}

}  // namespace

GE_DEFINE_OP(RandPerm)
    .Doc("A random permutation of 0 .. n-1 from the default generator.")
    .Input("n", kIndexTypes)
    .Output("y")
    .Optional("dtype", AttrKind::kType)
    .Traits(kRandom)
    .Infer(Infer)
    .Aten("aten::randperm(#n.0)")
    .GE_FACTORY_ROWS("aten::randperm(#n.0, @dtype, ", ")");

}  // namespace ge
