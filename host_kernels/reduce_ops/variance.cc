#include "host_kernels/reduce_ops/variance.h"

#include <algorithm>
#include <cmath>

namespace ge {

Result<Types> InferVariance(const InferContext& ctx, int count) {
  const ValueType& x = ctx.input(0);
  if (!kFloatTypes.Has(x.dtype()) && !IsComplex(x.dtype()))
    return InvalidArgument(StrCat(ctx.op.name, ": expected floating or complex numbers, found ", Name(x.dtype())));
  const Attr correction = ctx.attr("correction");
  if (!correction.IsNone() && !correction.AsDouble()) return InvalidArgument(StrCat(ctx.op.name, ": correction must be a real number"));
  GE_ASSIGN_OR_RETURN(const std::vector<bool> mask, ReduceMask(ctx, 1));
  const Shape shape = ReducedShape(x.shape(), mask, ctx.Bool("keepdim"));
  Types types{ValueType::Tensor(RealOf(x.dtype()), shape)};
  if (count == 2) types.push_back(ValueType::Tensor(x.dtype(), shape));
  return types;
}

Status ComputeVariance(const HostKernelContext& ctx, bool root) {
  const Tensor& x = *ctx.inputs[0];
  const ReduceLoops loops = LoopsOf(Extents(x.type()), ReduceMask(ctx, 1));
  const double correction = ctx.node.attr("correction").AsDouble().value_or(1.0), n = static_cast<double>(loops.count);
  return elem::VisitReal(x.dtype(), ctx.node.op().name, [&](auto tag) -> Status {
    using T = typename decltype(tag)::type;
    if constexpr (elem::kIsFloat<T>) {
      const T* in = x.data<T>();
      double sum = 0;
      std::vector<double> values;
      loops.Run([&](int64_t) { sum = 0, values.clear(); },
                [&](int64_t o) { sum += elem::Widen(in[o]), values.push_back(elem::Widen(in[o])); },
                [&](int64_t i) {
                  const double mean = sum / n;
                  double squares = 0;
                  for (double v : values) squares += (v - mean) * (v - mean);
                  const double variance = squares / std::max(0.0, n - correction);  // 0 / 0: NaN, as in PyTorch
                  ctx.outputs[0].mutable_data<T>()[i] = elem::Narrow<T>(root ? std::sqrt(variance) : variance);
                  if (ctx.outputs.size() > 1) ctx.outputs[1].mutable_data<T>()[i] = elem::Narrow<T>(mean);
                });
    }
    return {};
  });
}

}  // namespace ge
