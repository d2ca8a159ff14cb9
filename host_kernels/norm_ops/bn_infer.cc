// BNInfer: batch normalisation with given statistics.
#include "host_kernels/norm_ops/batch_norm_kernel.h"

namespace ge {
namespace {

Result<Types> InferBNInfer(const InferContext& c) {
  GE_RETURN_IF_ERROR(nn::RequireBatchNormOperands(c, 1));
  return Types{ValueType::Tensor(c.input(0).dtype(), c.input(0).shape())};
}

struct BNInferKernel {
  static Status Compute(const HostKernelContext& ctx) {
    return nn::NormalizeChannels(ctx, ctx.inputs[1], ctx.inputs[2], *ctx.inputs[3], *ctx.inputs[4], ctx.node.Float("epsilon"));
  }
};

}  // namespace

GE_DEFINE_OP(BNInfer)
    .Doc(
        "(x - mean) / sqrt(variance + epsilon) * scale + offset for each channel. momentum plays no part; it is ATen's argument. "
        "Where the empty saved statistics of the ATen call are used, BatchNorm is taken instead.")
    .Input("x", kFloatTypes)
    .OptionalInput("scale", kFloatTypes)
    .OptionalInput("offset", kFloatTypes)
    .Input("mean", kFloatTypes)
    .Input("variance", kFloatTypes)
    .Output("y", kFloatTypes)
    .Float("epsilon", 1e-5)
    .Float("momentum", 0.1)
    .Traits(kFollowsLayout)
    .Infer(InferBNInfer)
    .Aten("aten::_native_batch_norm_legit_no_training(x, scale, offset, mean, variance, @momentum, @epsilon) -> y, _, _");
REGISTER_COMPUTE_NODE_KERNEL(BNInfer, BNInferKernel);

}  // namespace ge
