// MatMulV2, GEMM, BatchMatMul, BatchMatMulV2: types and values.
#include "tests/host_kernels/op_runner.h"

namespace ge::testing {
namespace {

TEST(MatrixOps, ProductOfEveryKindOfNumber) {
  CheckOp("MatMulV2", {Pattern(DType::kF32, {2, 3}, 7, 11, -5), Pattern(DType::kF32, {3, 4}, 5, 7, -3)}, {},
          {{"f32[2,4]", {17, -8, 2, -2, -18, 11, 5, -22}}});
  CheckOp("MatMulV2", {Pattern(DType::kBF16, {2, 3}, 7, 11, -5), Pattern(DType::kBF16, {3, 4}, 5, 7, -3)}, {},
          {{"bf16[2,4]", {17, -8, 2, -2, -18, 11, 5, -22}}});
  CheckOp("MatMulV2", {Pattern(DType::kF64, {2, 3}, 7, 11, -5), Pattern(DType::kF64, {3, 4}, 5, 7, -3)}, {},
          {{"f64[2,4]", {17, -8, 2, -2, -18, 11, 5, -22}}});
  CheckOp("MatMulV2", {Pattern(DType::kI64, {2, 3}, 7, 11, -5), Pattern(DType::kI64, {3, 4}, 5, 7, -3)}, {},
          {{"i64[2,4]", {17, -8, 2, -2, -18, 11, 5, -22}}});
  CheckOp("MatMulV2", {Pattern(DType::kI32, {2, 3}, 7, 11, -5), Pattern(DType::kI32, {3, 4}, 5, 7, -3)}, {},
          {{"i32[2,4]", {17, -8, 2, -2, -18, 11, 5, -22}}});
}

TEST(MatrixOps, TransposedOperandsAndBias) {
  CheckOp("MatMulV2",
          {Pattern(DType::kF32, {2, 3}, 7, 11, -5), Pattern(DType::kF32, {4, 3}, 5, 7, -3), Pattern(DType::kF32, {4}, 3, 5, -2)},
          {{"transpose_x2", true}}, {{"f32[2,4]", {17, 15, -6, -8, -15, -9, -15, -9}}});
  CheckOp("MatMulV2", {Pattern(DType::kF32, {2, 2, 3}, 7, 11, -5), Pattern(DType::kF32, {4, 3}, 5, 7, -3)}, {{"transpose_x2", true}},
          {{"f32[2,2,4]", {19, 14, -5, -10, -13, -10, -14, -11, -12, -12, -12, -12, -11, -14, -10, -13}}});
  CheckOp("MatMulV2", {Pattern(DType::kF32, {3}, 7, 11, -5), Pattern(DType::kF32, {4, 3}, 5, 7, -3)}, {{"transpose_x2", true}},
          {{"f32[4]", {19, 14, -5, -10}}});
  CheckOp("MatMulV2",
          {Pattern(DType::kF32, {3, 2}, 7, 11, -5), Pattern(DType::kF32, {3, 4}, 5, 7, -3), Pattern(DType::kF32, {4}, 3, 5, -2)},
          {{"transpose_x1", true}}, {{"f32[2,4]", {9, -11, -1, 21, 1, 10, 0, -26}}});
  CheckOp("MatMulV2", {Pattern(DType::kF32, {3, 2}, 7, 11, -5), Pattern(DType::kF32, {4, 3}, 5, 7, -3)},
          {{"transpose_x1", true}, {"transpose_x2", true}}, {{"f32[2,4]", {11, 5, 13, 7, 4, 8, -23, -19}}});
  CheckOp("MatMulV2",
          {Pattern(DType::kF32, {2, 3}, 7, 11, -5), Pattern(DType::kF32, {3, 4}, 5, 7, -3), Pattern(DType::kF32, {4}, 3, 5, -2)}, {},
          {{"f32[2,4]", {15, -7, 1, 0, -20, 12, 4, -20}}});
  CheckOp("MatMulV2",
          {Pattern(DType::kF32, {2, 0}, 7, 11, -5), Pattern(DType::kF32, {0, 4}, 7, 11, -5), Pattern(DType::kF32, {4}, 3, 5, -2)}, {},
          {{"f32[2,4]", {-2, 1, -1, 2, -2, 1, -1, 2}}});
}

TEST(MatrixOps, ScaledProductWithBroadcastAddend) {
  CheckOp("GEMM", {Pattern(DType::kF32, {2, 3}, 7, 11, -5), Pattern(DType::kF32, {3, 4}, 5, 7, -3), Pattern(DType::kF32, {2, 4}, 3, 5, -2)},
          {{"alpha", 2}, {"beta", 0.5}}, {{"f32[2,4]", {33, -15.5, 3.5, -3, -36, 21, 10.5, -44.5}}});
  CheckOp("GEMM", {Pattern(DType::kF32, {2, 3}, 7, 11, -5), Pattern(DType::kF32, {3, 4}, 5, 7, -3), Pattern(DType::kF32, {4}, 3, 5, -2)},
          {{"alpha", 2}, {"beta", 0.5}}, {{"f32[2,4]", {33, -15.5, 3.5, -3, -37, 22.5, 9.5, -43}}});
  CheckOp("GEMM", {Pattern(DType::kF32, {2, 3}, 7, 11, -5), Pattern(DType::kF32, {3, 4}, 5, 7, -3), Pattern(DType::kF32, {2, 1}, 3, 5, -2)},
          {{"alpha", 2}, {"beta", 0.5}}, {{"f32[2,4]", {33, -17, 3, -5, -35.5, 22.5, 10.5, -43.5}}});
  CheckOp("GEMM", {Pattern(DType::kF32, {2, 3}, 7, 11, -5), Pattern(DType::kF32, {3, 4}, 5, 7, -3), Pattern(DType::kF32, {}, 3, 5, -2)},
          {{"alpha", 2}, {"beta", 0.5}}, {{"f32[2,4]", {33, -17, 3, -5, -37, 21, 9, -45}}});
  CheckOp("GEMM", {Pattern(DType::kF32, {2, 3}, 7, 11, -5), Pattern(DType::kF32, {3, 4}, 5, 7, -3), Pattern(DType::kF32, {1, 4}, 3, 5, -2)},
          {{"alpha", 2}, {"beta", 0.5}}, {{"f32[2,4]", {33, -15.5, 3.5, -3, -37, 22.5, 9.5, -43}}});
}

TEST(MatrixOps, Batches) {
  CheckOp("BatchMatMul", {Pattern(DType::kF32, {2, 2, 3}, 7, 11, -5), Pattern(DType::kF32, {2, 3, 2}, 5, 7, -3)}, {},
          {{"f32[2,2,2]", {9, -16, -24, 5, 4, -24, 5, -24}}});
  CheckOp("BatchMatMul", {Pattern(DType::kF32, {2, 3, 2}, 7, 11, -5), Pattern(DType::kF32, {2, 2, 3}, 5, 7, -3)},
          {{"adj_x1", true}, {"adj_x2", true}}, {{"f32[2,2,2]", {11, 5, 4, 8, 6, 5, -19, -21}}});
}

TEST(MatrixOps, MatmulOfEveryRank) {
  CheckOp("BatchMatMulV2", {Pattern(DType::kF32, {3}, 7, 11, -5), Pattern(DType::kF32, {3}, 5, 7, -3)}, {}, {{"f32[]", {19}}});
  CheckOp("BatchMatMulV2", {Pattern(DType::kF32, {2, 3}, 7, 11, -5), Pattern(DType::kF32, {3}, 5, 7, -3)}, {}, {{"f32[2]", {19, -13}}});
  CheckOp("BatchMatMulV2", {Pattern(DType::kF32, {3}, 7, 11, -5), Pattern(DType::kF32, {3, 4}, 5, 7, -3)}, {},
          {{"f32[4]", {17, -8, 2, -2}}});
  CheckOp("BatchMatMulV2", {Pattern(DType::kF32, {3}, 7, 11, -5), Pattern(DType::kF32, {2, 3, 4}, 5, 7, -3)}, {},
          {{"f32[2,4]", {17, -8, 2, -2, -3, 7, 17, -8}}});
  CheckOp("BatchMatMulV2", {Pattern(DType::kF32, {2, 2, 3}, 7, 11, -5), Pattern(DType::kF32, {3}, 5, 7, -3)}, {},
          {{"f32[2,2]", {19, -13, -12, -11}}});
  CheckOp("BatchMatMulV2", {Pattern(DType::kF32, {2, 2, 3}, 7, 11, -5), Pattern(DType::kF32, {3, 2}, 5, 7, -3)}, {},
          {{"f32[2,2,2]", {9, -16, -24, 5, -24, 4, -24, 3}}});
  CheckOp("BatchMatMulV2", {Pattern(DType::kF32, {2, 1, 2, 3}, 7, 11, -5), Pattern(DType::kF32, {3, 3, 2}, 5, 7, -3)}, {},
          {{"f32[2,3,2,2]", {9, -16, -24, 5, 13, 9, 3, -24, -11, 13, 2, 3, -24, 4, -24, 3, 4, -24, 5, -24, 4, 4, 6, 5}}});
  CheckOp("BatchMatMulV2", {Pattern(DType::kF32, {2, 3}, 7, 11, -5), Pattern(DType::kF32, {2, 3, 2}, 5, 7, -3)}, {},
          {{"f32[2,2,2]", {9, -16, -24, 5, 13, 9, 3, -24}}});
}

TEST(MatrixOps, TypesOnly) {
  CheckOp("Baddbmm",
          {Pattern(DType::kF32, {4}, 7, 11, -5), Pattern(DType::kF32, {2, 2, 3}, 7, 11, -5), Pattern(DType::kF32, {2, 3, 4}, 5, 7, -3)},
          {{"beta", 1}, {"alpha", 1}}, {{"f32[2,2,4]", {}, false}});
  CheckOp("Cdist", {Pattern(DType::kF32, {2, 4, 3}, 7, 11, -5), Pattern(DType::kF32, {5, 3}, 7, 11, -5)}, {{"p", 2.0}},
          {{"f32[2,4,5]", {}, false}});
}

TEST(MatrixOps, Refusals) {
  const Tensor x = Pattern(DType::kF32, {2, 3}, 7, 11, -5), y = Pattern(DType::kF32, {4, 2}, 7, 11, -5);
  CheckRefused("MatMulV2", {x, y}, {}, Code::kInvalidArgument, "inner extent");
  CheckRefused("MatMulV2", {x, Pattern(DType::kF64, {3, 4}, 1, 2, 0)}, {}, Code::kUnimplemented, "dtype");
  CheckRefused("MatMulV2", {x, Pattern(DType::kF32, {3, 4}, 1, 2, 0), Pattern(DType::kF32, {2, 4}, 1, 2, 0)}, {}, Code::kUnimplemented,
               "one axis");
  CheckRefused("BatchMatMul", {x, y}, {}, Code::kUnimplemented, "3 axes");
  CheckRefused("GEMM", {x, Pattern(DType::kF32, {3, 4}, 1, 2, 0), Pattern(DType::kF32, {3, 4}, 1, 2, 0)}, {{"alpha", 1}, {"beta", 1}},
               Code::kInvalidArgument, "");
}

}  // namespace
}  // namespace ge::testing
