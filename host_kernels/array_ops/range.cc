#include <cmath>

#include "host_kernels/array_ops/factory.h"
#include "host_kernels/element_util.h"

namespace ge {
namespace {

struct Bounds {
  Attr start, limit, delta;
};

// PyTorch's count: exact for i64, ceil((limit - start) / delta) in double for every other dtype.
Result<int64_t> Count(const Bounds& b, DType dtype) {
  const auto fs = b.start.AsDouble(), fl = b.limit.AsDouble(), fd = b.delta.AsDouble();
  if (!fs || !fl || !fd) return InvalidArgument("Range: start, limit and delta must be real numbers");
  if (!std::isfinite(*fs) || !std::isfinite(*fl)) return InvalidArgument("Range: the bounds must be finite");
  if (*fd == 0) return InvalidArgument("Range: the step is 0");
  const auto *s = b.start.Get<int64_t>(), *l = b.limit.Get<int64_t>(), *d = b.delta.Get<int64_t>();
  const bool exact = s && l && d;
  const bool agree = exact ? (*d > 0 ? *l >= *s : *l <= *s) : (*fd > 0 ? *fl >= *fs : *fl <= *fs);
  if (!agree) return InvalidArgument("Range: the bounds and the sign of the step do not agree");
  if (dtype == DType::kI64 && exact) {
    int64_t span, up;  // limit - start + delta - sign(delta), in PyTorch's order
    if (__builtin_sub_overflow(*l, *s, &span) || __builtin_add_overflow(span, *d, &up))
      return Unimplemented("Range: the bounds are further apart than i64 can say");
    return (up - (*d > 0 ? 1 : -1)) / *d;
  }
  const double n = std::ceil((*fl - *fs) / *fd);
  if (!(n >= 0 && n < 9.0e18)) return InvalidArgument("Range: the number of elements is out of range");
  return static_cast<int64_t>(n);
}

Attr Or(Attr a, int64_t otherwise) { return a.IsNone() ? Attr(otherwise) : a; }

Result<Types> Infer(const InferContext& ctx) {
  if (ctx.has_input(0) || ctx.has_input(1) || ctx.has_input(2)) {
    // Bounds at run time: integers held by operands.
    Dim bound[3] = {0, 0, 1};
    for (int i = 0; i < 3; ++i) {
      if (!ctx.has_input(i)) {
        if (i == 1) return InvalidArgument("Range: operand 'limit' is missing");
        continue;
      }
      if (ctx.input(i).IsTensor() && CertainlyDifferent(ctx.input(i).NumElements(), Dim(1)))
        return InvalidArgument(StrCat("Range: operand '", ctx.op.inputs[static_cast<size_t>(i)].name, "' must hold one integer"));
      bound[i] = *OperandDim(ctx, i);
    }
    Dim n = Dim::Unknown();
    if (bound[0].IsConst() && bound[1].IsConst() && bound[2].IsConst()) {
      GE_ASSIGN_OR_RETURN(n, Count({bound[0].value(), bound[1].value(), bound[2].value()}, DTypeOr(ctx, DType::kI64)));
    } else if (bound[2].Is(1) && bound[0].Is(0)) {
      n = bound[1];  // arange(n) of a symbolic size
    }
    return Types{ValueType::Tensor(DTypeOr(ctx, DType::kI64), {n})};
  }
  const Bounds b{Or(ctx.attr("from"), 0), ctx.attr("to"), Or(ctx.attr("step"), 1)};
  const auto is_integer = [](const Attr& a) { return a.Is<int64_t>() || a.Is<bool>(); };
  const DType natural = is_integer(b.start) && is_integer(b.limit) && is_integer(b.delta) ? DType::kI64 : DType::kF32;
  const DType dtype = DTypeOr(ctx, natural);
  // Float bounds of an integer range are converted first in ATen, which changes the count.
  if (!IsFloating(dtype) && natural != DType::kI64) return Unimplemented("Range: an integer range with float bounds");
  if (dtype == DType::kBool || IsComplex(dtype)) return Unimplemented(StrCat("Range: dtype ", Name(dtype)));
  GE_ASSIGN_OR_RETURN(const int64_t n, Count(b, dtype));
  return Types{ValueType::Tensor(dtype, {n})};
}

struct RangeKernel {
  static Status Compute(const HostKernelContext& ctx) {
    Attr start = Or(ctx.node.attr("from"), 0), delta = Or(ctx.node.attr("step"), 1);
    const auto operand = [&](size_t i) { return i < ctx.inputs.size() && ctx.inputs[i]; };
    if (operand(0)) { GE_ASSIGN_OR_RETURN(start, IntOf(*ctx.inputs[0], "Range")); }
    if (operand(2)) { GE_ASSIGN_OR_RETURN(delta, IntOf(*ctx.inputs[2], "Range")); }
    Tensor& out = ctx.outputs[0];
    return elem::VisitReal(out.dtype(), "Range", [&](auto tag) -> Status {
      using T = typename decltype(tag)::type;
      // start + step * i as eager's loop has it: integers in i64, f32 and f64 in double, 16-bit floats in float, and with one
      // rounding (its kernels are built for processors with FMA). Long vectors of eager go through another loop, 1 ulp off.
      using W = std::conditional_t<elem::kIsSmallFloat<T>, float, elem::Wide<T>>;
      const auto number = [](const Attr& a) { return a.Is<int64_t>() ? static_cast<W>(*a.Get<int64_t>()) : static_cast<W>(*a.AsDouble()); };
      const W s = number(start), d = number(delta);
      T* p = out.mutable_data<T>();
      for (int64_t i = 0, n = out.num_elements(); i < n; ++i) {
        if constexpr (std::is_floating_point_v<W>)
          p[i] = elem::Narrow<T>(std::fma(d, static_cast<W>(i), s));
        else
          p[i] = elem::Narrow<T>(elem::WrapAdd<W>(s, elem::WrapMul<W>(d, static_cast<W>(i))));
      }
      return {};
    });
  }
};

}  // namespace

// Two forms: bounds as i64 operands (AscendIR; symbolic sizes), or as attributes where they are numbers, floats included.
GE_DEFINE_OP(Range)
    .Doc("start, start + delta, ... up to but not including limit.")
    .OptionalInput("start", kIndexTypes)
    .OptionalInput("limit", kIndexTypes)
    .OptionalInput("delta", kIndexTypes)
    .Output("y")
    .Optional("from", AttrKind::kScalar)
    .Optional("to", AttrKind::kScalar)
    .Optional("step", AttrKind::kScalar)
    .Optional("dtype", AttrKind::kType)
    .Infer(Infer)
    .GE_FACTORY_ROWS("aten::arange(@to, @dtype, ", ")")
    .GE_FACTORY_ROWS("aten::arange.start(@from, @to, @dtype, ", ")")
    .GE_FACTORY_ROWS("aten::arange.start_step(@from, @to, @step, @dtype, ", ")")
    .Aten("aten::arange(#limit.0, @dtype, none, \"cpu\", false)")
    .Aten("aten::arange(#limit.0, @dtype, \"strided\", \"cpu\", false)")
    .Aten("aten::arange.start(#start.0, #limit.0, @dtype, none, \"cpu\", false)")
    .Aten("aten::arange.start(#start.0, #limit.0, @dtype, \"strided\", \"cpu\", false)")
    .Aten("aten::arange.start_step(#start.0, #limit.0, #delta.0, @dtype, none, \"cpu\", false)")
    .Aten("aten::arange.start_step(#start.0, #limit.0, #delta.0, @dtype, \"strided\", \"cpu\", false)")
    .Aten("aten::arange.start_step(#start.0, #limit.0, 1, @dtype, none, \"cpu\", false)")
    .Aten("aten::arange.start_step(#start.0, #limit.0, 1, @dtype, \"strided\", \"cpu\", false)");
REGISTER_COMPUTE_NODE_KERNEL(Range, RangeKernel);

}  // namespace ge
