// UpsampleNearest1d: nearest source element of one axis, its place rounded down.
#include "host_kernels/nn_ops/resize.h"

namespace ge {
namespace {

Result<Types> InferUpsampleNearest1d(const InferContext& c) { return nn::InferResize(c, 1); }

}  // namespace

GE_DEFINE_OP(UpsampleNearest1d)
    .Doc("Resizes the spatial axes of x to `size`: nearest source element of one axis, its place rounded down.")
    .Input("x", kFloatTypes)
    .Input("size", kI64Type)
    .Output("y", kFloatTypes)
    .Optional("scales", AttrKind::kFloat)
    .Infer(InferUpsampleNearest1d)
    .Aten("aten::upsample_nearest1d(x, #size, @scales)");

}  // namespace ge
