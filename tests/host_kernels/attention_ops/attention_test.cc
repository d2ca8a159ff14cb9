// Types of the attention operators.
#include "tests/host_kernels/op_runner.h"

namespace ge::testing {
namespace {

TEST(AttentionOps, Types) {
  CheckOp("FusedInferAttentionScore",
          {Pattern(DType::kF32, {2, 4, 6, 8}, 7, 11, -5), Pattern(DType::kF32, {2, 4, 7, 8}, 7, 11, -5),
           Pattern(DType::kF32, {2, 4, 7, 8}, 7, 11, -5)},
          {}, {{"f32[2,4,6,8]", {}, false}, {"f32[2,4,6]", {}, false}});
  CheckOp("FusedInferAttentionScore",
          {Pattern(DType::kBF16, {2, 4, 6, 8}, 7, 11, -5), Pattern(DType::kBF16, {2, 4, 7, 8}, 7, 11, -5),
           Pattern(DType::kBF16, {2, 4, 7, 8}, 7, 11, -5)},
          {}, {{"bf16[2,4,6,8]", {}, false}, {"f32[2,4,6]", {}, false}});
  CheckOp("FusedInferAttentionScore",
          {Pattern(DType::kF64, {2, 4, 6, 8}, 7, 11, -5), Pattern(DType::kF64, {2, 4, 7, 8}, 7, 11, -5),
           Pattern(DType::kF64, {2, 4, 7, 8}, 7, 11, -5)},
          {}, {{"f64[2,4,6,8]", {}, false}, {"f64[2,4,6]", {}, false}});
  CheckOp("FusedInferAttentionScore",
          {Pattern(DType::kF32, {2, 4, 6, 8}, 7, 11, -5), Pattern(DType::kF32, {2, 2, 7, 8}, 7, 11, -5),
           Pattern(DType::kF32, {2, 2, 7, 8}, 7, 11, -5)},
          {{"is_causal", true}}, {{"f32[2,4,6,8]", {}, false}, {"f32[2,4,6]", {}, false}});
  CheckOp("ScaledDotProductAttention",
          {Pattern(DType::kF32, {2, 4, 6, 8}, 7, 11, -5), Pattern(DType::kF32, {2, 4, 7, 8}, 7, 11, -5),
           Pattern(DType::kF32, {2, 4, 7, 5}, 7, 11, -5)},
          {}, {{"f32[2,4,6,5]", {}, false}});
  CheckOp("FlashAttentionScoreGrad",
          {Pattern(DType::kF32, {2, 4, 6, 8}, 7, 11, -5), Pattern(DType::kF32, {2, 4, 6, 8}, 7, 11, -5),
           Pattern(DType::kF32, {2, 4, 7, 8}, 7, 11, -5), Pattern(DType::kF32, {2, 4, 7, 8}, 7, 11, -5),
           Pattern(DType::kF32, {2, 4, 6, 8}, 7, 11, -5), Pattern(DType::kF32, {2, 4, 6}, 7, 11, -5)},
          {}, {{"f32[2,4,6,8]", {}, false}, {"f32[2,4,7,8]", {}, false}, {"f32[2,4,7,8]", {}, false}});
}

}  // namespace
}  // namespace ge::testing
