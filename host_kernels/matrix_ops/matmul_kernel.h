#pragma once
// The reference matrix product behind MatMulV2, BatchMatMul, BatchMatMulV2 and GEMM.
#include "host_kernels/nn_util.h"

namespace ge::nn {

// One operand as batches of matrices: element (b, row, column) lies at batch_offsets[b] + row*row_stride + column*column_stride.
struct MatrixView {
  const void* data;
  std::vector<int64_t> batch_offsets;
  int64_t row_stride, column_stride;
};

// y[b, i, j] = alpha * sum_k x1[b, i, k] * x2[b, k, j] + beta * bias[...]. The bias is read through `bias_strides` (batch, row, column);
// floats accumulate in double, integers wrap.
struct MatMulProblem {
  int64_t m = 0, n = 0, k = 0;
  MatrixView x1, x2;
  const void* bias = nullptr;
  std::vector<int64_t> bias_offsets;  // one a batch
  int64_t bias_row_stride = 0, bias_column_stride = 0;
  Attr alpha = 1, beta = 1;  // numbers
};
Status ReferenceMatMul(const MatMulProblem& problem, Tensor& y, std::string_view op);

}  // namespace ge::nn
