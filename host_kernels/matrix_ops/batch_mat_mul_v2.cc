// BatchMatMulV2: torch.matmul, which also covers dot and mv.
#include "host_kernels/matrix_ops/matmul_kernel.h"

namespace ge {
namespace {

Result<Types> InferBatchMatMulV2(const InferContext& c) {
  GE_RETURN_IF_ERROR(nn::RequireTensors(c));
  GE_RETURN_IF_ERROR(nn::RequireSameDType(c, {0, 1}));
  const Shape &x1 = c.input(0).shape(), &x2 = c.input(1).shape();
  if (x1.empty() || x2.empty()) return InvalidArgument("BatchMatMulV2: both operands need at least one axis");
  GE_RETURN_IF_ERROR(nn::RequireDim(c, "the inner extent of x2", x2.size() == 1 ? x2[0] : x2[x2.size() - 2], x1.back()));
  Shape batch1, batch2;
  if (x1.size() > 2) batch1.assign(x1.begin(), x1.end() - 2);
  if (x2.size() > 2) batch2.assign(x2.begin(), x2.end() - 2);
  GE_ASSIGN_OR_RETURN(Shape y, BroadcastShapes(batch1, batch2, c.op.name));
  if (x1.size() > 1) y.push_back(x1[x1.size() - 2]);
  if (x2.size() > 1) y.push_back(x2.back());
  return Types{ValueType::Tensor(c.input(0).dtype(), std::move(y))};
}

// Element offset of each matrix of an operand, broadcast over `batch`.
std::vector<int64_t> BatchOffsets(const std::vector<int64_t>& shape, std::span<const int64_t> batch) {
  const size_t own = shape.size() > 2 ? shape.size() - 2 : 0;
  const std::vector<int64_t> dense = RowStrides(shape);
  std::vector<int64_t> strides(batch.size(), 0), offsets;
  for (size_t d = 0; d < own; ++d)
    if (shape[d] != 1) strides[batch.size() - own + d] = dense[d];
  ForEachOffset(batch, strides, 0, [&](int64_t offset) { offsets.push_back(offset); });
  return offsets;
}

struct BatchMatMulV2Kernel {
  static Status Compute(const HostKernelContext& ctx) {
    const std::vector<int64_t> s1 = Extents(ctx.inputs[0]->type()), s2 = Extents(ctx.inputs[1]->type()),
                               sy = Extents(ctx.outputs[0].type());
    const size_t matrix_axes = (s1.size() > 1 ? 1u : 0u) + (s2.size() > 1 ? 1u : 0u);
    const std::span<const int64_t> batch(sy.data(), sy.size() - matrix_axes);
    nn::MatMulProblem p;
    p.k = s1.back();
    p.m = s1.size() > 1 ? s1[s1.size() - 2] : 1;
    p.n = s2.size() > 1 ? s2.back() : 1;
    p.x1 = {ctx.inputs[0]->data<void>(), BatchOffsets(s1, batch), p.k, 1};
    p.x2 = {ctx.inputs[1]->data<void>(), BatchOffsets(s2, batch), p.n, 1};
    return nn::ReferenceMatMul(p, ctx.outputs[0], "BatchMatMulV2");
  }
};

}  // namespace

GE_DEFINE_OP(BatchMatMulV2)
    .Doc("torch.matmul: vectors, matrices and batches of matrices whose batch axes broadcast.")
    .Input("x1", kNumericTypes)
    .Input("x2", kNumericTypes)
    .Output("y", kNumericTypes)
    .Infer(InferBatchMatMulV2)
    .Aten("aten::matmul(x1, x2)")
    .Aten("aten::mv(x1, x2)")
    .Aten("aten::dot(x1, x2)");
REGISTER_COMPUTE_NODE_KERNEL(BatchMatMulV2, BatchMatMulV2Kernel);

}  // namespace ge
