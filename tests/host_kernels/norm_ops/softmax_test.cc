// SoftmaxV2, LogSoftmaxV2, SafeSoftmax and gradients: types and values.
#include "tests/host_kernels/op_runner.h"

namespace ge::testing {
namespace {

TEST(SoftmaxOps, Softmax) {
  CheckOp("SoftmaxV2", {Pattern(DType::kF32, {2, 3, 2}, 7, 11, -5)}, {{"axis", -1}},
          {{"f32[2,3,2]",
            {0.000911051233, 0.999089003, 0.000911051233, 0.999089003, 0.982013762, 0.0179862101, 0.982013762, 0.0179862101, 0.000911051233,
             0.999089003, 0.982013762, 0.0179862101}}},
          2e-6);
  CheckOp("SoftmaxV2", {Pattern(DType::kF32, {2, 3, 2}, 7, 11, -5)}, {{"axis", 1}},
          {{"f32[2,3,2]",
            {0.0023556333, 0.0474107228, 0.0473141558, 0.952269852, 0.950330257, 0.000319450948, 0.992976308, 0.0474107228, 0.000333106436,
             0.952269852, 0.00669062138, 0.000319450948}}},
          2e-6);
  CheckOp("SoftmaxV2", {Pattern(DType::kF32, {2, 3, 2}, 7, 11, -5)}, {{"axis", 0}},
          {{"f32[2,3,2]",
            {0.00012339458, 0.880797029, 0.880797029, 0.880797029, 0.880797029, 0.880797029, 0.999876618, 0.119202919, 0.119202919,
             0.119202919, 0.119202919, 0.119202919}}},
          2e-6);
  CheckOp("SoftmaxV2", {Pattern(DType::kBF16, {2, 3}, 7, 11, -5)}, {{"axis", -1}},
          {{"bf16[2,3]", {0.000896453857, 0.98046875, 0.0179443359, 0.98046875, 0.0179443359, 0.000329971313}}}, 1e-2);
  CheckOp("SoftmaxV2", {Pattern(DType::kF64, {2, 3}, 7, 11, -5)}, {{"axis", -1}},
          {{"f64[2,3]", {0.000894679497, 0.981135202, 0.0179701181, 0.981690393, 0.0179802867, 0.000329320439}}}, 2e-6);
  CheckOp("SoftmaxV2", {Pattern(DType::kF32, {}, 7, 11, -5)}, {{"axis", 0}}, {{"f32[]", {1}}}, 2e-6);
}

TEST(SoftmaxOps, LogAndSafe) {
  CheckOp("LogSoftmaxV2", {Pattern(DType::kF32, {2, 3, 2}, 7, 11, -5)}, {{"axis", -1}},
          {{"f32[2,3,2]",
            {-7.00091124, -0.000911416369, -7.00091124, -0.000911416369, -0.0181499608, -4.01814985, -0.0181499608, -4.01814985,
             -7.00091124, -0.000911416369, -0.0181499608, -4.01814985}}},
          2e-6);
  CheckOp("LogSoftmaxV2", {Pattern(DType::kF32, {2, 3, 2}, 7, 11, -5)}, {{"axis", 1}},
          {{"f32[2,3,2]",
            {-6.05094576, -3.0489068, -3.05094576, -0.0489068218, -0.0509457104, -8.04890728, -0.00704850303, -3.0489068, -8.00704861,
             -0.0489068218, -5.00704861, -8.04890728}}},
          2e-6);
  CheckOp("SafeSoftmax", {Pattern(DType::kF32, {2, 3}, 7, 11, -5)}, {{"axis", 1}},
          {{"f32[2,3]", {0.000894679513, 0.98113519, 0.0179701187, 0.981690347, 0.0179802869, 0.000329320406}}}, 2e-6);
}

TEST(SoftmaxOps, Gradients) {
  CheckOp("SoftmaxGrad", {Pattern(DType::kF32, {2, 3}, 7, 11, -5), Pattern(DType::kF32, {2, 3}, 7, 11, -5)},
          {{"axis", 1}, {"input_dtype", DType::kF32}}, {{"f32[2,3]", {}, false}});
  CheckOp("LogSoftmaxGrad", {Pattern(DType::kF32, {2, 3}, 7, 11, -5), Pattern(DType::kF32, {2, 3}, 7, 11, -5)},
          {{"axis", 1}, {"input_dtype", DType::kF32}}, {{"f32[2,3]", {}, false}});
}

TEST(SoftmaxOps, MaskedRowsAndNan) {
  const float inf = INFINITY;
  const Tensor x = Tensor::Of<float>(DType::kF32, {3, 2}, std::vector<float>{-inf, -inf, 0, -inf, NAN, 1});
  CheckOp("SoftmaxV2", {x}, {}, {{"f32[3,2]", {NAN, NAN, 1, 0, NAN, NAN}}});
  CheckOp("SafeSoftmax", {x}, {}, {{"f32[3,2]", {0, 0, 1, 0, NAN, NAN}}});
}

}  // namespace
}  // namespace ge::testing
