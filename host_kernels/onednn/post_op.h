#pragma once
// PostOp: one element-wise node behind a product, as the library computes it inside the product's primitive, and exactly.
#include "host_kernels/onednn/api.h"

namespace ge::onednn {

struct PostOp {
  dnnl::algorithm algorithm{};
  float alpha = 0, beta = 0;
  int operand = -1;  // binary: number of the task's input that is the second operand; -1: one operand
  // The node's own arithmetic in float, NaN and infinities included, for the runs in which the library's may lose a NaN.
  float (*exact)(float x, float y, float alpha, float beta) = nullptr;
};

// `node` as a post-op of the product whose result comes in as operand `product` of the node. The second operand's number is
// filled in by the caller. A refusal says why.
Result<PostOp> ReadPostOp(const Node& node, int product);

}  // namespace ge::onednn
