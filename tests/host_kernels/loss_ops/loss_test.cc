// Types of losses and their gradients.
#include "tests/host_kernels/op_runner.h"

namespace ge::testing {
namespace {

TEST(LossOps, Types) {
  CheckOp("SmoothL1LossV2", {Pattern(DType::kF32, {3, 4}, 7, 11, -5), Pattern(DType::kF32, {3, 4}, 5, 7, -3)}, {{"reduction", "none"}},
          {{"f32[3,4]", {}, false}});
  CheckOp("HuberLoss", {Pattern(DType::kF32, {3, 4}, 7, 11, -5), Pattern(DType::kF32, {3, 4}, 5, 7, -3)},
          {{"reduction", "none"}, {"delta", 0.5}}, {{"f32[3,4]", {}, false}});
  CheckOp("NLLLoss", {Pattern(DType::kF32, {3, 4}, 7, 11, -5), Tensor::Of<int64_t>(DType::kI64, {3}, std::vector<int64_t>{0, 2, 1})},
          {{"reduction", "none"}}, {{"f32[3]", {}, false}, {"f32[]", {}, false}});
  CheckOp("SigmoidCrossEntropyWithLogitsV2", {Pattern(DType::kF32, {3, 4}, 7, 11, -5), Pattern(DType::kF32, {3, 4}, 5, 7, -3)},
          {{"reduction", "none"}}, {{"f32[3,4]", {}, false}});
  CheckOp("NLLLoss2D",
          {Pattern(DType::kF32, {2, 4, 3, 3}, 7, 11, -5),
           Tensor::Of<int64_t>(DType::kI64, {2, 3, 3}, std::vector<int64_t>{0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2})},
          {{"reduction", "none"}}, {{"f32[2,3,3]", {}, false}, {"f32[]", {}, false}});
  CheckOp("SmoothL1LossV2", {Pattern(DType::kF32, {3, 4}, 7, 11, -5), Pattern(DType::kF32, {3, 4}, 5, 7, -3)}, {{"reduction", "mean"}},
          {{"f32[]", {}, false}});
  CheckOp("HuberLoss", {Pattern(DType::kF32, {3, 4}, 7, 11, -5), Pattern(DType::kF32, {3, 4}, 5, 7, -3)},
          {{"reduction", "mean"}, {"delta", 0.5}}, {{"f32[]", {}, false}});
  CheckOp("NLLLoss", {Pattern(DType::kF32, {3, 4}, 7, 11, -5), Tensor::Of<int64_t>(DType::kI64, {3}, std::vector<int64_t>{0, 2, 1})},
          {{"reduction", "mean"}}, {{"f32[]", {}, false}, {"f32[]", {}, false}});
  CheckOp("SigmoidCrossEntropyWithLogitsV2", {Pattern(DType::kF32, {3, 4}, 7, 11, -5), Pattern(DType::kF32, {3, 4}, 5, 7, -3)},
          {{"reduction", "mean"}}, {{"f32[]", {}, false}});
  CheckOp("NLLLoss2D",
          {Pattern(DType::kF32, {2, 4, 3, 3}, 7, 11, -5),
           Tensor::Of<int64_t>(DType::kI64, {2, 3, 3}, std::vector<int64_t>{0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2})},
          {{"reduction", "mean"}}, {{"f32[]", {}, false}, {"f32[]", {}, false}});
  CheckOp("SmoothL1LossV2", {Pattern(DType::kF32, {3, 4}, 7, 11, -5), Pattern(DType::kF32, {3, 4}, 5, 7, -3)}, {{"reduction", "sum"}},
          {{"f32[]", {}, false}});
  CheckOp("HuberLoss", {Pattern(DType::kF32, {3, 4}, 7, 11, -5), Pattern(DType::kF32, {3, 4}, 5, 7, -3)},
          {{"reduction", "sum"}, {"delta", 0.5}}, {{"f32[]", {}, false}});
  CheckOp("NLLLoss", {Pattern(DType::kF32, {3, 4}, 7, 11, -5), Tensor::Of<int64_t>(DType::kI64, {3}, std::vector<int64_t>{0, 2, 1})},
          {{"reduction", "sum"}}, {{"f32[]", {}, false}, {"f32[]", {}, false}});
  CheckOp("SigmoidCrossEntropyWithLogitsV2", {Pattern(DType::kF32, {3, 4}, 7, 11, -5), Pattern(DType::kF32, {3, 4}, 5, 7, -3)},
          {{"reduction", "sum"}}, {{"f32[]", {}, false}});
  CheckOp("NLLLoss2D",
          {Pattern(DType::kF32, {2, 4, 3, 3}, 7, 11, -5),
           Tensor::Of<int64_t>(DType::kI64, {2, 3, 3}, std::vector<int64_t>{0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2})},
          {{"reduction", "sum"}}, {{"f32[]", {}, false}, {"f32[]", {}, false}});
  CheckOp("NLLLoss",
          {Pattern(DType::kF32, {4}, 7, 11, -5), Tensor::Of<int64_t>(DType::kI64, {}, std::vector<int64_t>{1}),
           Pattern(DType::kF32, {4}, 7, 11, -5)},
          {}, {{"f32[]", {}, false}, {"f32[]", {}, false}});
  CheckOp("NLLLossGrad",
          {Pattern(DType::kF32, {3, 4}, 7, 11, -5), Pattern(DType::kF32, {}, 7, 11, -5),
           Tensor::Of<int64_t>(DType::kI64, {3}, std::vector<int64_t>{0, 2, 1}), Tensor(), Pattern(DType::kF32, {}, 7, 11, -5)},
          {}, {{"f32[3,4]", {}, false}});
  CheckOp("SmoothL1LossV2", {Pattern(DType::kF32, {3, 1}, 7, 11, -5), Pattern(DType::kF32, {4}, 7, 11, -5)},
          {{"reduction", "none"}, {"beta", 0.5}}, {{"f32[3,4]", {}, false}});
  CheckOp("SmoothL1LossV2Grad",
          {Pattern(DType::kF32, {3, 4}, 7, 11, -5), Pattern(DType::kF32, {3, 4}, 5, 7, -3), Pattern(DType::kF32, {}, 7, 11, -5)}, {},
          {{"f32[3,4]", {}, false}});
}

}  // namespace
}  // namespace ge::testing
