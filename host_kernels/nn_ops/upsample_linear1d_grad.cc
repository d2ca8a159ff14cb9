// UpsampleLinear1dGrad: the gradient of UpsampleLinear1d.
#include "host_kernels/nn_ops/resize.h"

namespace ge {
namespace {

Result<Types> InferUpsampleLinear1dGrad(const InferContext& c) { return nn::InferResizeGrad(c, 1); }

}  // namespace

GE_DEFINE_OP(UpsampleLinear1dGrad)
    .Doc("Gradient of UpsampleLinear1d, of shape input_size, from grads of spatial extents `size`.")
    .Input("grads", kFloatTypes)
    .Input("size", kI64Type)
    .Input("input_size", kI64Type)
    .Output("y", kFloatTypes)
    .Bool("align_corners", false)
    .Optional("scales", AttrKind::kFloat)
    .Infer(InferUpsampleLinear1dGrad)
    .Aten("aten::upsample_linear1d_backward(grads, #size, #input_size, @align_corners, @scales)");

}  // namespace ge
