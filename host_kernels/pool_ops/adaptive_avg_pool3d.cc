// AdaptiveAvgPool3d: average pooling of three axes to a given size.
#include "host_kernels/pool_ops/adaptive_pool.h"

namespace ge {
namespace {

Result<Types> InferAdaptiveAvgPool3d(const InferContext& c) {
  GE_ASSIGN_OR_RETURN(Shape y, nn::AdaptivePoolShape(c, 3));
  return Types{ValueType::Tensor(c.input(0).dtype(), std::move(y))};
}

}  // namespace

GE_DEFINE_OP(AdaptiveAvgPool3d)
    .Doc("Mean over windows that divide the last three axes into output_size parts, overlapping where they do not divide evenly.")
    .Input("x", kFloatTypes)
    .Output("y", kFloatTypes)
    .Required("output_size", AttrKind::kInts)
    .Traits(kFollowsLayout)
    .Infer(InferAdaptiveAvgPool3d)
    .Aten("aten::_adaptive_avg_pool3d(x, @output_size)");

}  // namespace ge
