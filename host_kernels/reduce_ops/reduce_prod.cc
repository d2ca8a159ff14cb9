#include "host_kernels/complex_util.h"
#include "host_kernels/reduce_ops/reduce_util.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) {
  GE_ASSIGN_OR_RETURN(const std::vector<bool> mask, ReduceMask(ctx, 1));
  return Types{ValueType::Tensor(SumDType(ctx), ReducedShape(ctx.input(0).shape(), mask, ctx.Bool("keep_dims")))};
}

struct ReduceProdKernel {
  static Status Compute(const HostKernelContext& ctx) {
    Tensor& out = ctx.outputs[0];
    // The operand is converted first: the arithmetic is that of the result's dtype.
    GE_ASSIGN_OR_RETURN(const Tensor x, ConvertTensor(*ctx.inputs[0], out.dtype(), "ReduceProd"));
    const ReduceLoops loops = LoopsOf(Extents(x.type()), ReduceMask(ctx, 1));
    return elem::VisitArithmetic(out.dtype(), "ReduceProd", [&](auto tag) -> Status {
      using T = typename decltype(tag)::type;
      using W = elem::Wide<T>;
      const T* in = x.data<T>();
      T* p = out.mutable_data<T>();
      W acc{};
      loops.Run([&](int64_t) { acc = W(1); },
                [&](int64_t o) {
                  if constexpr (elem::kIsComplex<T>)
                    acc = MulComplex<typename T::value_type>(acc, elem::Widen(in[o]));
                  else
                    acc = elem::WrapMul<W>(acc, elem::Widen(in[o]));
                },
                [&](int64_t i) { p[i] = elem::Narrow<T>(acc); });
      return {};
    });
  }
};

}  // namespace

GE_DEFINE_OP(ReduceProd)
    .Doc("The product over the listed axes (all where absent or empty). Integers and bool multiply in i64 unless dtype says otherwise.")
    .Input("x", kArithmeticTypes)
    .OptionalInput("axes", kIndexTypes)
    .Output("y")
    .Bool("keep_dims", false)
    .Optional("dtype", AttrKind::kType)
    .Infer(Infer)
    .Aten("aten::prod.dim_int(x, #axes.0, @keep_dims, @dtype)")
    .Aten("aten::prod(x, @dtype)");
REGISTER_COMPUTE_NODE_KERNEL(ReduceProd, ReduceProdKernel);

}  // namespace ge
