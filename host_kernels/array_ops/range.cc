#include <cmath>

#include "host_kernels/array_ops/factory.h"
#include "host_kernels/element_util.h"

namespace ge {
namespace {

struct Bounds {
  Attr start, limit, delta;
};

// PyTorch's count: ceil((limit - start) / delta), in double for floats and exactly for integers.
Result<int64_t> Count(const Bounds& b) {
  const auto *s = b.start.Get<int64_t>(), *l = b.limit.Get<int64_t>(), *d = b.delta.Get<int64_t>();
  double n;
  if (s && l && d) {
    if (*d == 0) return InvalidArgument("Range: the step is 0");
    if ((*d > 0 && *l < *s) || (*d < 0 && *l > *s)) return InvalidArgument("Range: the bounds and the sign of the step do not agree");
    const __int128 span = static_cast<__int128>(*l) - *s, step = *d;
    return static_cast<int64_t>((span + step - (step > 0 ? 1 : -1)) / step);
  }
  const auto fs = b.start.AsDouble(), fl = b.limit.AsDouble(), fd = b.delta.AsDouble();
  if (!fs || !fl || !fd) return InvalidArgument("Range: start, limit and delta must be real numbers");
  if (*fd == 0) return InvalidArgument("Range: the step is 0");
  if ((*fd > 0 && *fl < *fs) || (*fd < 0 && *fl > *fs)) return InvalidArgument("Range: the bounds and the sign of the step do not agree");
  n = std::ceil((*fl - *fs) / *fd);
  if (!(n >= 0 && n < 9.0e18)) return InvalidArgument("Range: the number of elements is out of range");
  return static_cast<int64_t>(n);
}

Attr Or(Attr a, int64_t otherwise) { return a.IsNone() ? Attr(otherwise) : a; }

Result<Types> Infer(const InferContext& ctx) {
  if (ctx.has_input(0) || ctx.has_input(1) || ctx.has_input(2)) {
    // Bounds at run time: integers held by operands.
    Dim bound[3] = {0, 0, 1};
    for (int i = 0; i < 3; ++i) {
      if (ctx.has_input(i))
        bound[i] = *OperandDim(ctx, i);
      else if (i == 1)
        return InvalidArgument("Range: operand 'limit' is missing");
    }
    Dim n = Dim::Unknown();
    if (bound[0].IsConst() && bound[1].IsConst() && bound[2].IsConst()) {
      GE_ASSIGN_OR_RETURN(n, Count({bound[0].value(), bound[1].value(), bound[2].value()}));
    } else if (bound[2].Is(1) && bound[0].Is(0)) {
      n = bound[1];  // arange(n) of a symbolic size
    }
    return Types{ValueType::Tensor(DTypeOr(ctx, DType::kI64), {n})};
  }
  const Bounds b{Or(ctx.attr("from"), 0), ctx.attr("to"), Or(ctx.attr("step"), 1)};
  GE_ASSIGN_OR_RETURN(const int64_t n, Count(b));
  const auto is_integer = [](const Attr& a) { return a.Is<int64_t>() || a.Is<bool>(); };
  const DType natural = is_integer(b.start) && is_integer(b.limit) && is_integer(b.delta) ? DType::kI64 : DType::kF32;
  const DType dtype = DTypeOr(ctx, natural);
  // Float bounds of an integer range are converted first in ATen, which changes the count.
  if (!IsFloating(dtype) && natural != DType::kI64) return Unimplemented("Range: an integer range with float bounds");
  if (dtype == DType::kBool || IsComplex(dtype)) return Unimplemented(StrCat("Range: dtype ", Name(dtype)));
  return Types{ValueType::Tensor(dtype, {n})};
}

struct RangeKernel {
  static Status Compute(const HostKernelContext& ctx) {
    Attr start = Or(ctx.node.attr("from"), 0), delta = Or(ctx.node.attr("step"), 1);
    const auto operand = [&](size_t i) { return i < ctx.inputs.size() && ctx.inputs[i]; };
    if (operand(0)) start = IntsOf(*ctx.inputs[0]).at(0);
    if (operand(2)) delta = IntsOf(*ctx.inputs[2]).at(0);
    Tensor& out = ctx.outputs[0];
    return elem::VisitReal(out.dtype(), "Range", [&](auto tag) -> Status {
      using T = typename decltype(tag)::type;
      // ATen accumulates in int64 or double: start + step * i, rounded once.
      using W = elem::Wide<T>;
      const auto number = [](const Attr& a) { return a.Is<int64_t>() ? static_cast<W>(*a.Get<int64_t>()) : static_cast<W>(*a.AsDouble()); };
      const W s = number(start), d = number(delta);
      T* p = out.mutable_data<T>();
      for (int64_t i = 0, n = out.num_elements(); i < n; ++i)
        p[i] = elem::Narrow<T>(elem::WrapAdd<W>(s, elem::WrapMul<W>(d, static_cast<W>(i))));
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
