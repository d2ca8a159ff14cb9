#include "host_kernels/reduce_ops/reduce_util.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) {
  GE_ASSIGN_OR_RETURN(const std::vector<bool> mask, ReduceMask(ctx, 1));
  return Types{ValueType::Tensor(SumDType(ctx), ReducedShape(ctx.input(0).shape(), mask, ctx.Bool("keep_dims")))};
}

struct ReduceSumKernel {
  static Status Compute(const HostKernelContext& ctx) {
    Tensor& out = ctx.outputs[0];
    // The operand is converted first: the arithmetic is that of the result's dtype.
    GE_ASSIGN_OR_RETURN(const Tensor x, ConvertTensor(*ctx.inputs[0], out.dtype(), "ReduceSum"));
    const ReduceLoops loops = LoopsOf(Extents(x.type()), ReduceMask(ctx, 1));
    return elem::VisitArithmetic(out.dtype(), "ReduceSum", [&](auto tag) -> Status {
      using T = typename decltype(tag)::type;
      using W = elem::Wide<T>;
      const T* in = x.data<T>();
      T* p = out.mutable_data<T>();
      W acc{};
      loops.Run([&](int64_t) { acc = W(0); }, [&](int64_t o) { acc = elem::WrapAdd<W>(acc, elem::Widen(in[o])); },
                [&](int64_t i) { p[i] = elem::Narrow<T>(acc); });
      return {};
    });
  }
};

}  // namespace

GE_DEFINE_OP(ReduceSum)
    .Doc("The sum over the listed axes (all where absent or empty). Integers and bool add up in i64 unless dtype says otherwise.")
    .Input("x", kArithmeticTypes)
    .OptionalInput("axes", kIndexTypes)
    .Output("y")
    .Bool("keep_dims", false)
    .Optional("dtype", AttrKind::kType)
    .Infer(Infer)
    .Aten("aten::sum.dim_IntList(x, #axes, @keep_dims, @dtype)")
    .Aten("aten::sum(x, @dtype)");
REGISTER_COMPUTE_NODE_KERNEL(ReduceSum, ReduceSumKernel);

}  // namespace ge
