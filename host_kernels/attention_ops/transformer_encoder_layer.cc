// TransformerEncoderLayer: the whole inference layer, as nn.TransformerEncoderLayer's fast path calls it.
#include "host_kernels/nn_util.h"

namespace ge {
namespace {

Result<Types> InferTransformerEncoderLayer(const InferContext& c) {
  GE_RETURN_IF_ERROR(nn::RequireTensors(c));
  GE_RETURN_IF_ERROR(nn::RequireRank(c, 0, 3));
  for (int i = 1; i < 13; ++i) GE_RETURN_IF_ERROR(nn::RequireSameDType(c, {0, i}));
  GE_RETURN_IF_ERROR(nn::RequireDim(c, "the last extent of src", c.input(0).shape()[2], Dim(c.Int("embed_dim"))));
  return Types{ValueType::Tensor(c.input(0).dtype(), c.input(0).shape())};
}

}  // namespace

GE_DEFINE_OP(TransformerEncoderLayer)
    .Doc("One transformer encoder layer in inference: self-attention, feed-forward, two layer normalisations before (norm_first) or after.")
    .Input("src", kFloatTypes)
    .Input("qkv_weight", kFloatTypes)
    .Input("qkv_bias", kFloatTypes)
    .Input("proj_weight", kFloatTypes)
    .Input("proj_bias", kFloatTypes)
    .Input("norm_weight_1", kFloatTypes)
    .Input("norm_bias_1", kFloatTypes)
    .Input("norm_weight_2", kFloatTypes)
    .Input("norm_bias_2", kFloatTypes)
    .Input("ffn_weight_1", kFloatTypes)
    .Input("ffn_bias_1", kFloatTypes)
    .Input("ffn_weight_2", kFloatTypes)
    .Input("ffn_bias_2", kFloatTypes)
    .OptionalInput("mask", kFloatTypes | kBoolType)
    .Output("y", kFloatTypes)
    .Required("embed_dim", AttrKind::kInt)
    .Required("num_heads", AttrKind::kInt)
    .Required("use_gelu", AttrKind::kBool)
    .Required("norm_first", AttrKind::kBool)
    .Required("eps", AttrKind::kFloat)
    .Optional("mask_type", AttrKind::kInt)
    .Infer(InferTransformerEncoderLayer)
    .Aten(
        "aten::_transformer_encoder_layer_fwd(src, @embed_dim, @num_heads, qkv_weight, qkv_bias, proj_weight, proj_bias, @use_gelu, "
        "@norm_first, "
        "@eps, norm_weight_1, norm_bias_1, norm_weight_2, norm_bias_2, ffn_weight_1, ffn_bias_1, ffn_weight_2, ffn_bias_2, mask, "
        "@mask_type)");

}  // namespace ge
