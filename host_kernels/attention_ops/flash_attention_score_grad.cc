// FlashAttentionScoreGrad: the gradients of FusedInferAttentionScore.
#include "host_kernels/nn_util.h"

namespace ge {
namespace {

Result<Types> InferFlashAttentionScoreGrad(const InferContext& c) {
  GE_RETURN_IF_ERROR(nn::RequireTensors(c));
  GE_RETURN_IF_ERROR(nn::RequireSameDType(c, {0, 1, 2, 3, 4}));
  for (int i : {0, 1, 2, 3, 4}) GE_RETURN_IF_ERROR(nn::RequireRank(c, i, 4));
  if (c.Float("dropout_p") != 0) return Unimplemented("FlashAttentionScoreGrad: dropout");
  Types types;
  for (int i : {1, 2, 3}) types.push_back(ValueType::Tensor(c.input(i).dtype(), c.input(i).shape()));
  return types;
}

}  // namespace

GE_DEFINE_OP(FlashAttentionScoreGrad)
    .Doc("Gradients of FusedInferAttentionScore with respect to query, key and value.")
    .Input("dy", kFloatTypes)
    .Input("query", kFloatTypes)
    .Input("key", kFloatTypes)
    .Input("value", kFloatTypes)
    .Input("attention_in", kFloatTypes)
    .Input("softmax_lse", kFloatTypes)
    .OptionalInput("atten_mask", kFloatTypes | kBoolType)
    .Output("dq", kFloatTypes)
    .Output("dk", kFloatTypes)
    .Output("dv", kFloatTypes)
    .Optional("scale", AttrKind::kFloat)
    .Bool("is_causal", false)
    .Float("dropout_p", 0)
    .Infer(InferFlashAttentionScoreGrad)
    .Aten(
        "aten::_scaled_dot_product_flash_attention_for_cpu_backward(dy, query, key, value, attention_in, softmax_lse, @dropout_p, "
        "@is_causal, "
        "atten_mask, @scale)");

}  // namespace ge
