// UpsampleNearest1dGrad: the gradient of UpsampleNearest1d.
#include "host_kernels/nn_ops/resize.h"

namespace ge {
namespace {

Result<Types> InferUpsampleNearest1dGrad(const InferContext& c) { return nn::InferResizeGrad(c, 1); }

}  // namespace

GE_DEFINE_OP(UpsampleNearest1dGrad)
    .Doc("Gradient of UpsampleNearest1d, of shape input_size, from grads of spatial extents `size`.")
    .Input("grads", kFloatTypes)
    .Input("size", kI64Type)
    .Input("input_size", kI64Type)
    .Output("y", kFloatTypes)
    .Optional("scales", AttrKind::kFloat)
    .Infer(InferUpsampleNearest1dGrad)
    .Aten("aten::upsample_nearest1d_backward(grads, #size, #input_size, @scales)");

}  // namespace ge
