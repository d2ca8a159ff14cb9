#include "host_kernels/shape_util.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) {
  const ValueType& x = ctx.input(0);
  return Types{ValueType::Tensor(x.dtype(), x.shape()), ValueType::Tensor(DType::kBool, x.shape())};
}

}  // namespace

GE_DEFINE_OP(Dropout)
    .Doc("x with elements dropped at random and the others scaled up, and the mask of the kept ones; train false: x itself.")
    .Input("x", kFloatTypes)
    .Output("y")
    .Output("mask", kBoolType)
    .Required("dropout_ratio", AttrKind::kFloat)
    .Optional("train", AttrKind::kAny)
    .Traits(kRandom)
    .Infer(Infer)
    .Aten("aten::native_dropout(x, @dropout_ratio, @train)");

}  // namespace ge
