#include <cmath>

#include "host_kernels/array_ops/factory.h"
#include "host_kernels/element_util.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) {
  const Attr start = ctx.attr("start"), stop = ctx.attr("stop");
  if (!start.AsDouble() || !stop.AsDouble()) return Unimplemented("LinSpace: complex bounds");
  if (ctx.Int("num") < 0) return InvalidArgument(StrCat("LinSpace: num is ", ctx.Int("num"), "; expected 0 or more"));
  const DType dtype = DTypeOr(ctx, DType::kF32);
  if (!kFloatTypes.Has(dtype)) return Unimplemented(StrCat("LinSpace: dtype ", Name(dtype)));
  return Types{ValueType::Tensor(dtype, {ctx.Int("num")})};
}

struct LinSpaceKernel {
  static Status Compute(const HostKernelContext& ctx) {
    const double start = *ctx.node.attr("start").AsDouble(), stop = *ctx.node.attr("stop").AsDouble();
    Tensor& out = ctx.outputs[0];
    return elem::VisitReal(out.dtype(), "LinSpace", [&](auto tag) -> Status {
      using T = typename decltype(tag)::type;
      if constexpr (elem::kIsFloat<T>) {
        // From both ends towards the middle, in the arithmetic of the dtype (float for the small ones), as ATen does.
        using W = std::conditional_t<std::is_same_v<T, double>, double, float>;
        const int64_t n = out.num_elements(), half = n / 2;
        const W a = static_cast<W>(start), b = static_cast<W>(stop), step = n > 1 ? (b - a) / static_cast<W>(n - 1) : W(0);
        T* p = out.mutable_data<T>();
        for (int64_t i = 0; i < n; ++i) p[i] = T(n == 1 || i < half ? a + step * static_cast<W>(i) : b - step * static_cast<W>(n - i - 1));
      }
      return {};
    });
  }
};

}  // namespace

GE_DEFINE_OP(LinSpace)
    .Doc("num values evenly spaced from start to stop, both included.")
    .Output("output", kFloatTypes)
    .Required("start", AttrKind::kScalar)
    .Required("stop", AttrKind::kScalar)
    .Required("num", AttrKind::kInt)
    .Optional("dtype", AttrKind::kType)
    .Infer(Infer)
    .GE_FACTORY_ROWS("aten::linspace(@start, @stop, @num, @dtype, ", ")");
REGISTER_COMPUTE_NODE_KERNEL(LinSpace, LinSpaceKernel);

}  // namespace ge
