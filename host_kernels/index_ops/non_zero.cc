#include "host_kernels/shape_util.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) {
  if (ctx.Bool("transpose")) return Unimplemented("NonZero: the transposed form");
  return Types{ValueType::Tensor(DType::kI64, {Dim::Unknown(), ctx.input(0).rank()})};
}

}  // namespace

GE_DEFINE_OP(NonZero)
    .Doc("The multi-indices of the non-zero elements, one a row; how many is known at run time.")
    .Input("x")
    .Output("y", kI64Type)
    .Bool("transpose", false)
    .Infer(Infer)
    .Aten("aten::nonzero(x)");

}  // namespace ge
