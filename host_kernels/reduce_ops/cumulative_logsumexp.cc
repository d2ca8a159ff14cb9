#include "host_kernels/shape_util.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) {
  const auto axis = ctx.ConstInts(1);
  if (axis && axis->size() == 1) GE_RETURN_IF_ERROR(NormalizeAxis((*axis)[0], ctx.input(0).rank(), "CumulativeLogsumexp").status());
  return Types{ValueType::Tensor(ctx.input(0).dtype(), ctx.input(0).shape())};
}

}  // namespace

GE_DEFINE_OP(CumulativeLogsumexp)
    .Doc("Running log(sum(exp(x))) along an axis.")
    .Input("x", kFloatTypes)
    .Input("axis", kIndexTypes)
    .Output("y")
    .Bool("exclusive", false)
    .Bool("reverse", false)
    .Infer(Infer)
    .Aten("aten::logcumsumexp(x, #axis.0)");

}  // namespace ge
