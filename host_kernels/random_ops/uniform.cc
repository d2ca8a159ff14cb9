#include "host_kernels/shape_util.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) { return Types{ValueType::Tensor(ctx.input(0).dtype(), ctx.input(0).shape())}; }

}  // namespace

GE_DEFINE_OP(Uniform)
    .Doc("Uniform numbers of [from, to) in the shape and dtype of x.")
    .Input("x")
    .Output("y")
    .Float("from", 0)
    .Float("to", 1)
    .Traits(kRandom)
    .Infer(Infer)
    .Aten("aten::uniform(x, @from, @to)");

}  // namespace ge
