// GEMM: alpha * (a @ b) + beta * c for the forms MatMulV2's bias cannot express.
#include "host_kernels/matrix_ops/matmul_kernel.h"

namespace ge {
namespace {

Result<Types> InferGemm(const InferContext& c) {
  GE_RETURN_IF_ERROR(nn::RequireTensors(c));
  GE_RETURN_IF_ERROR(nn::RequireSameDType(c, {0, 1, 2}));
  const Shape &a = c.input(0).shape(), &b = c.input(1).shape();
  GE_RETURN_IF_ERROR(nn::RequireRank(c, 0, 2));
  GE_RETURN_IF_ERROR(nn::RequireRank(c, 1, 2));
  GE_RETURN_IF_ERROR(nn::RequireDim(c, "the inner extent of b", b[0], a[1]));
  Shape y = {a[0], b[1]};
  GE_ASSIGN_OR_RETURN(const Shape with_c, BroadcastShapes(y, c.input(2).shape(), c.op.name));
  if (with_c.size() != y.size() || CertainlyDifferent(with_c[0], y[0]) || CertainlyDifferent(with_c[1], y[1]))
    return InvalidArgument(StrCat("GEMM: c is ", ToString(c.input(2)), ", which does not broadcast to the product ",
                                  ToString(ValueType::Tensor(c.input(0).dtype(), y))));
  return Types{ValueType::Tensor(c.input(0).dtype(), std::move(y))};
}

struct GemmKernel {
  static Status Compute(const HostKernelContext& ctx) {
    const std::vector<int64_t> sa = Extents(ctx.inputs[0]->type()), sb = Extents(ctx.inputs[1]->type()),
                               sc = Extents(ctx.inputs[2]->type());
    nn::MatMulProblem p;
    p.m = sa[0];
    p.k = sa[1];
    p.n = sb[1];
    p.x1 = {ctx.inputs[0]->data<void>(), {0}, p.k, 1};
    p.x2 = {ctx.inputs[1]->data<void>(), {0}, p.n, 1};
    p.bias = ctx.inputs[2]->data<void>();
    p.bias_offsets = {0};
    p.bias_column_stride = !sc.empty() && sc.back() != 1 ? 1 : 0;
    p.bias_row_stride = sc.size() == 2 && sc[0] != 1 ? sc[1] : 0;
    if (const Attr a = ctx.node.attr("alpha"); !a.IsNone()) p.alpha = a;
    if (const Attr b = ctx.node.attr("beta"); !b.IsNone()) p.beta = b;
    return nn::ReferenceMatMul(p, ctx.outputs[0], "GEMM");
  }
};

}  // namespace

GE_DEFINE_OP(GEMM)
    .Doc("alpha * (a @ b) + beta * c, c broadcast to the product. alpha and beta are Python numbers (AscendIR holds them in tensors).")
    .Input("a", kNumericTypes)
    .Input("b", kNumericTypes)
    .Input("c", kNumericTypes)
    .Output("y", kNumericTypes)
    .Required("alpha", AttrKind::kScalar)
    .Required("beta", AttrKind::kScalar)
    .Infer(InferGemm)
    .Aten("aten::addmm(c, a, b, @beta, @alpha)");
REGISTER_COMPUTE_NODE_KERNEL(GEMM, GemmKernel);

}  // namespace ge
