#include "host_kernels/array_ops/factory.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) { return Types{ValueType::Tensor(DTypeOr(ctx, ctx.input(0).dtype()), ctx.input(0).shape())}; }

}  // namespace

GE_DEFINE_OP(RandomUniformLike)
    .Doc("Random numbers as torch.rand_like draws them, in the shape of x.")
    .Input("x")
    .Output("y")
    .Optional("dtype", AttrKind::kType)
    .Optional("memory_format", AttrKind::kAny)
    .Traits(kRandom)
    .Infer(Infer)
    .GE_FACTORY_ROWS("aten::rand_like(x, @dtype, ", ", @memory_format)");

}  // namespace ge
