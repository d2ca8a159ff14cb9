#include <algorithm>
#include <numeric>

#include "host_kernels/reduce_ops/reduce_util.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) {
  const ValueType& x = ctx.input(0);
  GE_RETURN_IF_ERROR(NormalizeAxis(ctx.Int("axis"), x.rank(), "Sort").status());
  return Types{ValueType::Tensor(x.dtype(), x.shape()), ValueType::Tensor(DType::kI64, x.shape())};
}

struct SortKernel {
  static Status Compute(const HostKernelContext& ctx) {
    const Tensor& x = *ctx.inputs[0];
    GE_ASSIGN_OR_RETURN(const int64_t axis, NormalizeAxis(ctx.node.Int("axis"), x.type().rank(), "Sort"));
    const AxisSplit s = SplitAtAxis(Extents(x.type()), axis);
    const bool descending = ctx.node.Bool("descending");
    return elem::VisitReal(x.dtype(), "Sort", [&](auto tag) -> Status {
      using T = typename decltype(tag)::type;
      const T* in = x.data<T>();
      T* values = ctx.outputs[0].mutable_data<T>();
      int64_t* positions = ctx.outputs[1].mutable_data<int64_t>();
      std::vector<int64_t> order(static_cast<size_t>(s.extent));
      for (int64_t o = 0; o < s.outer; ++o)
        for (int64_t i = 0; i < s.inner; ++i) {
          const auto at = [&](int64_t k) { return (o * s.extent + k) * s.inner + i; };
          std::iota(order.begin(), order.end(), 0);
          std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
            const auto u = elem::Widen(in[at(a)]), v = elem::Widen(in[at(b)]);
            return descending ? LessNanLast(v, u) : LessNanLast(u, v);
          });
          for (int64_t k = 0; k < s.extent; ++k) {
            values[at(k)] = in[at(order[static_cast<size_t>(k)])];
            positions[at(k)] = order[static_cast<size_t>(k)];
          }
        }
      return {};
    });
  }
};

}  // namespace

// ATen's CPU sort is stable in either case; stable = false only promises less.
GE_DEFINE_OP(Sort)
    .Doc("Sorted values along an axis and where they came from; NaN counts as the greatest.")
    .Input("x", kRealTypes | kBoolType)
    .Output("y1")
    .Output("y2", kI64Type)
    .Int("axis", -1)
    .Bool("descending", false)
    .Bool("stable", false)
    .Infer(Infer)
    .Aten("aten::sort(x, @axis, @descending)")
    .Aten("aten::sort.stable(x, @stable, @axis, @descending)");
REGISTER_COMPUTE_NODE_KERNEL(Sort, SortKernel);

}  // namespace ge
