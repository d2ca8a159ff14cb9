#include "host_kernels/shape_util.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) { return Types{ValueType::Tensor(ctx.input(0).dtype(), ctx.input(0).shape())}; }

}  // namespace

GE_DEFINE_OP(Exponential)
    .Doc("Exponentially distributed numbers in the shape and dtype of x.")
    .Input("x")
    .Output("y")
    .Float("lambd", 1)
    .Traits(kRandom)
    .Infer(Infer)
    .Aten("aten::exponential(x, @lambd)");

}  // namespace ge
