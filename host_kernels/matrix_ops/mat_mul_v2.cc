// MatMulV2: the matrix product, with optional bias and transposed operands.
#include "host_kernels/matrix_ops/matmul_kernel.h"

namespace ge {
namespace {

Result<Types> InferMatMulV2(const InferContext& c) {
  GE_RETURN_IF_ERROR(nn::RequireTensors(c));
  GE_RETURN_IF_ERROR(nn::RequireSameDType(c, {0, 1, 2}));
  const bool t1 = c.Bool("transpose_x1"), t2 = c.Bool("transpose_x2");
  const Shape &x1 = c.input(0).shape(), &x2 = c.input(1).shape();
  GE_RETURN_IF_ERROR(nn::RequireRank(c, 1, 2));
  // x1 @ x2^T is F.linear, which takes leading batch axes; the other forms are plain matrices.
  if (x1.empty() || !(t2 && !t1)) GE_RETURN_IF_ERROR(nn::RequireRank(c, 0, 2));
  const Dim& k1 = t1 ? x1[0] : x1.back();
  const Dim& n = t2 ? x2[0] : x2[1];
  GE_RETURN_IF_ERROR(nn::RequireDim(c, "the inner extent of x2", t2 ? x2[1] : x2[0], k1));
  GE_RETURN_IF_ERROR(nn::RequireVector(c, 2, n));
  if (c.has_input(2) && c.input(2).shape()[0] != n && (n.IsUnknown() || c.input(2).shape()[0].Is(1)))
    return Unimplemented("MatMulV2: the bias must be known to have one element a column");
  Shape y = x1;
  if (t1) y[0] = x1[1];
  y.back() = n;
  return Types{ValueType::Tensor(c.input(0).dtype(), std::move(y))};
}

struct MatMulV2Kernel {
  static Status Compute(const HostKernelContext& ctx) {
    const Tensor &x1 = *ctx.inputs[0], &x2 = *ctx.inputs[1];
    const bool t1 = ctx.node.Bool("transpose_x1"), t2 = ctx.node.Bool("transpose_x2");
    const std::vector<int64_t> s1 = Extents(x1.type()), s2 = Extents(x2.type());
    nn::MatMulProblem p;
    p.k = t1 ? s1[0] : s1.back();
    p.n = t2 ? s2[0] : s2[1];
    p.m = 1;
    for (size_t d = t1 ? 1 : 0; d + (t1 ? 0 : 1) < s1.size(); ++d) p.m *= s1[d];
    p.x1 = {x1.data<void>(), {0}, t1 ? 1 : s1.back(), t1 ? s1[1] : 1};
    p.x2 = {x2.data<void>(), {0}, t2 ? 1 : s2[1], t2 ? s2[1] : 1};
    if (const Tensor* bias = nn::In(ctx, 2)) {
      p.bias = bias->data<void>();
      p.bias_offsets = {0};
      p.bias_column_stride = 1;
    }
    return nn::ReferenceMatMul(p, ctx.outputs[0], "MatMulV2");
  }
};

}  // namespace

GE_DEFINE_OP(MatMulV2)
    .Doc(
        "x1 @ x2, plus a bias of one element a column. transpose_x1 / transpose_x2 read an operand transposed; with transpose_x2 "
        "alone x1 may have leading batch axes (F.linear).")
    .Input("x1", kNumericTypes)
    .Input("x2", kNumericTypes)
    .OptionalInput("bias", kNumericTypes)
    .Output("y", kNumericTypes)
    .Bool("transpose_x1", false)
    .Bool("transpose_x2", false)
    .Infer(InferMatMulV2)
    .Aten("aten::mm(x1, x2)")
    .Aten("aten::addmm(bias, x1, x2, 1, 1)")
    .Aten("aten::linear(x1, x2, bias) if transpose_x2=true")
    .Aten("aten::mm(x1^T, x2) if transpose_x1=true")
    .Aten("aten::mm(x1^T, x2^T) if transpose_x1=true, transpose_x2=true")
    .Aten("aten::addmm(bias, x1^T, x2, 1, 1) if transpose_x1=true")
    .Aten("aten::addmm(bias, x1^T, x2^T, 1, 1) if transpose_x1=true, transpose_x2=true");
REGISTER_COMPUTE_NODE_KERNEL(MatMulV2, MatMulV2Kernel);

}  // namespace ge
