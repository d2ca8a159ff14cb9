// GroupNormGrad: the gradients of GroupNorm.
#include "host_kernels/norm_ops/norm_util.h"

namespace ge {
namespace {

Result<Types> InferGroupNormGrad(const InferContext& c) {
  GE_RETURN_IF_ERROR(nn::RequireNormOperands(c));
  GE_ASSIGN_OR_RETURN(const std::vector<bool> mask, nn::MaskOf(c, "output_mask", 3));
  const Shape& x = c.input(1).shape();
  if (x.size() < 2)
    return InvalidArgument(StrCat("GroupNormGrad: x is ", ToString(c.input(1)), ", expected at least batch and channel axes"));
  if (!c.has_input(4) && (mask[1] || mask[2])) return Unimplemented("GroupNormGrad: gradients of absent parameters are asked for");
  const DType t = c.input(1).dtype();
  const auto parameter = [&](bool wanted) { return wanted ? ValueType::Tensor(t, {x[1]}) : ValueType::Opaque(); };
  return Types{mask[0] ? ValueType::Tensor(t, x) : ValueType::Opaque(), parameter(mask[1]), parameter(mask[2])};
}

}  // namespace

GE_DEFINE_OP(GroupNormGrad)
    .Doc("Gradients of GroupNorm with respect to x, gamma and beta. A masked-out gradient is None.")
    .Input("dy", kFloatTypes)
    .Input("x", kFloatTypes)
    .Input("mean", kFloatTypes)
    .Input("rstd", kFloatTypes)
    .OptionalInput("gamma", kFloatTypes)
    .OptionalInput("batch_size", kI64Type)
    .OptionalInput("channel_count", kI64Type)
    .OptionalInput("spatial_size", kI64Type)
    .Output("dx")
    .Output("dgamma")
    .Output("dbeta")
    .Required("num_groups", AttrKind::kInt)
    .Optional("batch", AttrKind::kInt)
    .Optional("channels", AttrKind::kInt)
    .Optional("spatial", AttrKind::kInt)
    .Required("output_mask", AttrKind::kAny)
    .Infer(InferGroupNormGrad)
    .Aten("aten::native_group_norm_backward(dy, x, mean, rstd, gamma, @batch, @channels, @spatial, @num_groups, @output_mask)")
    .Aten(
        "aten::native_group_norm_backward(dy, x, mean, rstd, gamma, #batch_size.0, #channel_count.0, #spatial_size.0, @num_groups, "
        "@output_mask)");

}  // namespace ge
