// UpsampleTrilinear3dGrad: the gradient of UpsampleTrilinear3d.
#include "host_kernels/nn_ops/resize.h"

namespace ge {
namespace {

Result<Types> InferUpsampleTrilinear3dGrad(const InferContext& c) { return nn::InferResizeGrad(c, 3); }

}  // namespace

GE_DEFINE_OP(UpsampleTrilinear3dGrad)
    .Doc("Gradient of UpsampleTrilinear3d, of shape input_size, from grads of spatial extents `size`.")
    .Input("grads", kFloatTypes)
    .Input("size", kI64Type)
    .Input("input_size", kI64Type)
    .Output("y", kFloatTypes)
    .Bool("align_corners", false)
    .Optional("scales_d", AttrKind::kFloat)
    .Optional("scales_h", AttrKind::kFloat)
    .Optional("scales_w", AttrKind::kFloat)
    .Infer(InferUpsampleTrilinear3dGrad)
    .Aten("aten::upsample_trilinear3d_backward(grads, #size, #input_size, @align_corners, @scales_d, @scales_h, @scales_w)");

}  // namespace ge
