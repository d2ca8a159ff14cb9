// AdaptiveMaxPool2d: max pooling to a given size.
#include "host_kernels/pool_ops/adaptive_pool.h"

namespace ge {
namespace {

Result<Types> InferAdaptiveMaxPool2d(const InferContext& c) {
  GE_ASSIGN_OR_RETURN(const Shape y, nn::AdaptivePoolShape(c, 2));
  return Types{ValueType::Tensor(c.input(0).dtype(), y), ValueType::Tensor(DType::kI64, y)};
}

}  // namespace

GE_DEFINE_OP(AdaptiveMaxPool2d)
    .Doc("Maximum over windows that divide the last 2 axes into output_size parts, and its flat index within those axes (i64).")
    .Input("x", kFloatTypes)
    .Output("y", kFloatTypes)
    .Output("argmax", kI64Type)
    .Required("output_size", AttrKind::kInts)
    .Traits(kFollowsLayout)
    .Infer(InferAdaptiveMaxPool2d)
    .Aten("aten::adaptive_max_pool2d(x, @output_size)");

}  // namespace ge
