// UpsampleLinear1d: linear interpolation of one axis.
#include "host_kernels/nn_ops/resize.h"

namespace ge {
namespace {

Result<Types> InferUpsampleLinear1d(const InferContext& c) { return nn::InferResize(c, 1); }

}  // namespace

GE_DEFINE_OP(UpsampleLinear1d)
    .Doc("Resizes the spatial axes of x to `size`: linear interpolation of one axis.")
    .Input("x", kFloatTypes)
    .Input("size", kI64Type)
    .Output("y", kFloatTypes)
    .Bool("align_corners", false)
    .Optional("scales", AttrKind::kFloat)
    .Infer(InferUpsampleLinear1d)
    .Aten("aten::upsample_linear1d(x, #size, @align_corners, @scales)");

}  // namespace ge
