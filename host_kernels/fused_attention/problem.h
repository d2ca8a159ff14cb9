#pragma once
// What ScaledDotProductAttention and FusedInferAttentionScore compute, read from a node: softmax(scale q k^T + mask) v for each batch
// and head. Shared by the engines that have a kernel for it.
#include "ge_core/base/str.h"
#include "ge_core/ir/graph.h"

namespace ge::attention {

struct Problem {
  int64_t batch = 0, heads = 0, queries = 0, keys = 0, size = 0, value_size = 0;
  int64_t repeat = 1;  // query heads a key head
  float scale = 1;
  bool causal = false;  // query i sees keys 0 to i
  // Strides in elements: batch, head, position; the innermost is 1.
  int64_t q[3] = {}, k[3] = {}, v[3] = {}, y[3] = {};
  // Batch, head, query, key; 0 where broadcast.
  int64_t mask[4] = {};
  DType mask_dtype = DType::kF32;  // or kBool: true takes part
  bool has_mask = false;
  int64_t lse[3] = {};  // log of the sum of exponentials: batch, head, query
  bool has_lse = false;
};

// f32, static, heads innermost; Unimplemented, with the reason, for the rest.
Result<Problem> Read(const Node& node);

}  // namespace ge::attention
