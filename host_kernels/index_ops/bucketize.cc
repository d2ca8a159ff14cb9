#include "host_kernels/shape_util.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) {
  if (ctx.input(1).rank() != 1) return InvalidArgument(StrCat("Bucketize: boundaries must have one axis, found ", ctx.input(1).rank()));
  return Types{ValueType::Tensor(ctx.Bool("out_int32") ? DType::kI32 : DType::kI64, ctx.input(0).shape())};
}

}  // namespace

GE_DEFINE_OP(Bucketize)
    .Doc("For every element of x the position among the sorted boundaries.")
    .Input("x", kRealTypes)
    .Input("boundaries", kRealTypes)
    .Output("y", kIndexTypes)
    .Bool("out_int32", false)
    .Bool("right", false)
    .Infer(Infer)
    .Aten("aten::bucketize.Tensor(x, boundaries, @out_int32, @right)");

}  // namespace ge
