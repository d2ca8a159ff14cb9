// UpsampleNearest3dGrad: the gradient of UpsampleNearest3d.
#include "host_kernels/nn_ops/resize.h"

namespace ge {
namespace {

Result<Types> InferUpsampleNearest3dGrad(const InferContext& c) { return nn::InferResizeGrad(c, 3); }

}  // namespace

GE_DEFINE_OP(UpsampleNearest3dGrad)
    .Doc("Gradient of UpsampleNearest3d, of shape input_size, from grads of spatial extents `size`.")
    .Input("grads", kFloatTypes)
    .Input("size", kI64Type)
    .Input("input_size", kI64Type)
    .Output("y", kFloatTypes)
    .Optional("scales_d", AttrKind::kFloat)
    .Optional("scales_h", AttrKind::kFloat)
    .Optional("scales_w", AttrKind::kFloat)
    .Infer(InferUpsampleNearest3dGrad)
    .Aten("aten::upsample_nearest3d_backward(grads, #size, #input_size, @scales_d, @scales_h, @scales_w)");

}  // namespace ge
