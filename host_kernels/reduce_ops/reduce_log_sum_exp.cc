#include <cmath>

#include "host_kernels/reduce_ops/reduce_util.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) {
  const DType x = ctx.input(0).dtype();
  if (IsComplex(x)) return Unimplemented("ReduceLogSumExp: complex numbers");
  GE_ASSIGN_OR_RETURN(const std::vector<bool> mask, ReduceMask(ctx, 1));
  return Types{ValueType::Tensor(IsFloating(x) ? x : DType::kF32, ReducedShape(ctx.input(0).shape(), mask, ctx.Bool("keep_dims")))};
}

struct ReduceLogSumExpKernel {
  static Status Compute(const HostKernelContext& ctx) {
    Tensor& out = ctx.outputs[0];
    GE_ASSIGN_OR_RETURN(const Tensor x, ConvertTensor(*ctx.inputs[0], out.dtype(), "ReduceLogSumExp"));
    const ReduceLoops loops = LoopsOf(Extents(x.type()), ReduceMask(ctx, 1));
    return elem::VisitReal(out.dtype(), "ReduceLogSumExp", [&](auto tag) -> Status {
      using T = typename decltype(tag)::type;
      if constexpr (elem::kIsFloat<T>) {
        const T* in = x.data<T>();
        std::vector<double> values;
        loops.Run([&](int64_t) { values.clear(); }, [&](int64_t o) { values.push_back(elem::Widen(in[o])); },
                  [&](int64_t i) {
                    double top = -std::numeric_limits<double>::infinity(), sum = 0;
                    for (double v : values) top = std::isnan(v) || v > top ? v : top;
                    const double shift = std::isinf(top) ? 0 : top;  // infinities would give NaN
                    for (double v : values) sum += std::exp(v - shift);
                    out.mutable_data<T>()[i] = elem::Narrow<T>(std::log(sum) + shift);
                  });
      }
      return {};
    });
  }
};

}  // namespace

GE_DEFINE_OP(ReduceLogSumExp)
    .Doc("log(sum(exp(x))) over the listed axes, without overflow; integers give f32.")
    .Input("x", kArithmeticTypes)
    .OptionalInput("axes", kIndexTypes)
    .Output("y")
    .Bool("keep_dims", false)
    .Infer(Infer)
    .Aten("aten::logsumexp(x, #axes, @keep_dims)");
REGISTER_COMPUTE_NODE_KERNEL(ReduceLogSumExp, ReduceLogSumExpKernel);

}  // namespace ge
