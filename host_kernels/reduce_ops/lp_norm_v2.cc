#include <cmath>

#include "host_kernels/reduce_ops/reduce_util.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) {
  const ValueType& x = ctx.input(0);
  if (!kFloatTypes.Has(x.dtype()) && !IsComplex(x.dtype()))
    return InvalidArgument(StrCat("LpNormV2: expected floating or complex numbers, found ", Name(x.dtype())));
  const auto p = ctx.attr("p").IsNone() ? std::optional<double>(2.0) : ctx.attr("p").AsDouble();
  if (!p) return InvalidArgument("LpNormV2: p must be a real number");
  const Attr axes_attr = ctx.attr("axes");
  std::vector<bool> mask(static_cast<size_t>(x.rank()), true);
  if (!axes_attr.IsNone()) {
    const auto axes = axes_attr.AsInts();
    if (!axes) return InvalidArgument("LpNormV2: axes must be a list of integers");
    GE_ASSIGN_OR_RETURN(const std::vector<int64_t> normalised, NormalizeAxes(*axes, x.rank(), "LpNormV2"));
    mask = MaskOfAxes(normalised, x.rank());
  }
  if (*p < 0 || std::isinf(*p)) GE_RETURN_IF_ERROR(RequireElements(ctx, mask));
  const Attr a = ctx.attr("dtype");
  if (!a.IsNone()) return Unimplemented("LpNormV2: an explicit dtype");
  return Types{ValueType::Tensor(RealOf(x.dtype()), ReducedShape(x.shape(), mask, ctx.Bool("keepdim")))};
}

struct LpNormV2Kernel {
  static Status Compute(const HostKernelContext& ctx) {
    const Tensor& x = *ctx.inputs[0];
    const double p = ctx.node.attr("p").AsDouble().value_or(2.0);
    const ReduceLoops loops =
        LoopsOf(Extents(x.type()), MaskOfAxes(ctx.node.attr("axes").AsInts().value_or(std::vector<int64_t>{}), x.type().rank()));
    return elem::VisitReal(x.dtype(), "LpNormV2", [&](auto tag) -> Status {
      using T = typename decltype(tag)::type;
      if constexpr (elem::kIsFloat<T>) {
        const T* in = x.data<T>();
        double acc = 0;
        bool first = true;
        const auto step = [&](double v) {
          v = std::fabs(v);
          if (p == 0)
            acc += v != 0;
          else if (std::isinf(p))
            acc = first ? v : std::isnan(acc) ? acc : std::isnan(v) || (p > 0 ? v > acc : v < acc) ? v : acc;
          else if (p == 1)
            acc += v;
          else if (p == 2)
            acc += v * v;
          else
            acc += std::pow(v, p);
          first = false;
        };
        loops.Run([&](int64_t) { acc = 0, first = true; }, [&](int64_t o) { step(elem::Widen(in[o])); },
                  [&](int64_t i) {
                    const double y = p == 0 || p == 1 || std::isinf(p) ? acc : p == 2 ? std::sqrt(acc) : std::pow(acc, 1.0 / p);
                    ctx.outputs[0].mutable_data<T>()[i] = elem::Narrow<T>(y);
                  });
      }
      return {};
    });
  }
};

}  // namespace

GE_DEFINE_OP(LpNormV2)
    .Doc("(sum |x|^p)^(1/p) over the listed axes (all where absent or empty); p = inf, -inf and 0 as in torch.linalg.vector_norm.")
    .Input("x", kFloatTypes | kComplexTypes)
    .Output("y")
    .Optional("p", AttrKind::kScalar)
    .Optional("axes", AttrKind::kAny)
    .Bool("keepdim", false)
    .Optional("dtype", AttrKind::kType)
    .Infer(Infer)
    .Aten("aten::linalg_vector_norm(x, @p, @axes, @keepdim, @dtype)")
    .Aten("aten::norm.Scalar(x, @p)")
    .Aten("aten::norm.ScalarOpt_dim(x, @p, @axes, @keepdim)");
REGISTER_COMPUTE_NODE_KERNEL(LpNormV2, LpNormV2Kernel);

}  // namespace ge
