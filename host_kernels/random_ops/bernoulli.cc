#include "host_kernels/shape_util.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) { return Types{ValueType::Tensor(ctx.input(0).dtype(), ctx.input(0).shape())}; }

}  // namespace

GE_DEFINE_OP(Bernoulli)
    .Doc("1 with the probability that the element of x says (or the attribute p, or the operand prob), else 0, in the dtype of x.")
    .Input("x")
    .OptionalInput("prob")
    .Output("y")
    .Optional("p", AttrKind::kFloat)
    .Traits(kRandom)
    .Infer(Infer)
    .Aten("aten::bernoulli(x)")
    .Aten("aten::bernoulli.p(x, @p)")
    .Aten("aten::bernoulli.Tensor(x, prob)");

}  // namespace ge
