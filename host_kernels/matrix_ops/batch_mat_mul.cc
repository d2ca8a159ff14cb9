// BatchMatMul: the product of two batches of matrices (bmm).
#include "host_kernels/matrix_ops/matmul_kernel.h"

namespace ge {
namespace {

Result<Types> InferBatchMatMul(const InferContext& c) {
  GE_RETURN_IF_ERROR(nn::RequireTensors(c));
  GE_RETURN_IF_ERROR(nn::RequireSameDType(c, {0, 1}));
  GE_RETURN_IF_ERROR(nn::RequireRank(c, 0, 3));
  GE_RETURN_IF_ERROR(nn::RequireRank(c, 1, 3));
  const Shape &x1 = c.input(0).shape(), &x2 = c.input(1).shape();
  const bool t1 = c.Bool("adj_x1"), t2 = c.Bool("adj_x2");
  GE_RETURN_IF_ERROR(nn::RequireDim(c, "the batch of x2", x2[0], x1[0]));
  GE_RETURN_IF_ERROR(nn::RequireDim(c, "the inner extent of x2", x2[t2 ? 2 : 1], x1[t1 ? 1 : 2]));
  return Types{ValueType::Tensor(c.input(0).dtype(), {x1[0].IsUnknown() ? x2[0] : x1[0], x1[t1 ? 2 : 1], x2[t2 ? 1 : 2]})};
}

struct BatchMatMulKernel {
  static Status Compute(const HostKernelContext& ctx) {
    const bool t1 = ctx.node.Bool("adj_x1"), t2 = ctx.node.Bool("adj_x2");
    const std::vector<int64_t> s1 = Extents(ctx.inputs[0]->type()), s2 = Extents(ctx.inputs[1]->type());
    nn::MatMulProblem p;
    p.m = s1[t1 ? 2 : 1];
    p.k = s1[t1 ? 1 : 2];
    p.n = s2[t2 ? 1 : 2];
    p.x1 = {ctx.inputs[0]->data<void>(), {}, t1 ? 1 : s1[2], t1 ? s1[2] : 1};
    p.x2 = {ctx.inputs[1]->data<void>(), {}, t2 ? 1 : s2[2], t2 ? s2[2] : 1};
    for (int64_t b = 0; b < s1[0]; ++b) {
      p.x1.batch_offsets.push_back(b * s1[1] * s1[2]);
      p.x2.batch_offsets.push_back(b * s2[1] * s2[2]);
    }
    return nn::ReferenceMatMul(p, ctx.outputs[0], "BatchMatMul");
  }
};

}  // namespace

GE_DEFINE_OP(BatchMatMul)
    .Doc("x1[b] @ x2[b] for each b of two rank-3 tensors. adj_x1 / adj_x2 read an operand's matrices transposed (not conjugated).")
    .Input("x1", kNumericTypes)
    .Input("x2", kNumericTypes)
    .Output("y", kNumericTypes)
    .Bool("adj_x1", false)
    .Bool("adj_x2", false)
    .Infer(InferBatchMatMul)
    .Aten("aten::bmm(x1, x2)")
    .Aten("aten::bmm(x1^T, x2) if adj_x1=true")
    .Aten("aten::bmm(x1, x2^T) if adj_x2=true")
    .Aten("aten::bmm(x1^T, x2^T) if adj_x1=true, adj_x2=true");
REGISTER_COMPUTE_NODE_KERNEL(BatchMatMul, BatchMatMulKernel);

}  // namespace ge
