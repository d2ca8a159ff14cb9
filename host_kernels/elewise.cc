#include "host_kernels/elewise.h"

#include <limits>

namespace ge::elewise {
namespace {

// The one tensor of a unary op.
Result<ValueType> FirstInput(const InferContext& ctx) {
  if (!ctx.has_input(0) || !ctx.input(0).IsTensor()) return Unimplemented("input 0 is no tensor");
  return ValueType::Tensor(ctx.input(0).dtype(), ctx.input(0).shape());
}

Result<Types> BinaryOf(const InferContext& ctx, DType (*result)(DType)) {
  GE_ASSIGN_OR_RETURN(const DType common, CommonDType(ctx));
  GE_ASSIGN_OR_RETURN(Shape shape, BroadcastInputs(ctx, 0, 1));
  return Types{ValueType::Tensor(result(common), std::move(shape))};
}

// Range of a floating dtype; beyond it (after rounding) lies infinity.
double Largest(DType t) {
  switch (t) {
    case DType::kF16: return 65504.0;
    case DType::kBF16: return 3.3895313892515355e38;
    case DType::kF32:
    case DType::kC64: return std::numeric_limits<float>::max();
    default: return std::numeric_limits<double>::max();
  }
}

}  // namespace

Status CheckScalarFits(const Attr& scalar, DType dtype, std::string_view name) {
  const auto refuse = [&] {
    return Unimplemented(
        StrCat("attribute '", name, "' = ", ToString(scalar), " is outside the range of ", Name(dtype), ", where PyTorch wraps or raises"));
  };
  if (Category(scalar) < 0) return InvalidArgument(StrCat("attribute '", name, "' = ", ToString(scalar), " is no number"));
  if (const int64_t* i = scalar.Get<int64_t>(); i && IsIntegral(dtype)) {
    const int bits = static_cast<int>(8 * SizeOf(dtype));
    if (!IsSignedInt(dtype)) return *i < 0 || (bits < 63 && *i >> bits) ? refuse() : Status();
    return bits < 64 && (*i < -(int64_t{1} << (bits - 1)) || *i >= int64_t{1} << (bits - 1)) ? refuse() : Status();
  }
  if (auto d = scalar.AsDouble(); d && Category(dtype) >= 2 && std::isfinite(*d) && std::abs(*d) > Largest(dtype)) return refuse();
  return {};
}

Status CheckScalars(const InferContext& ctx, DType dtype, std::initializer_list<std::string_view> names) {
  for (std::string_view name : names) {
    const Attr a = ctx.attr(name);
    if (a.IsNone()) continue;
    if (Category(a) > Category(dtype))
      return Unimplemented(StrCat("attribute '", name, "' = ", ToString(a), " is of a higher category than ", Name(dtype), " tensors"));
    GE_RETURN_IF_ERROR(CheckScalarFits(a, dtype, name));
  }
  return {};
}

Result<Shape> BroadcastInputs(const InferContext& ctx, int first, int last) {
  Shape shape;
  for (int i = first; i <= last; ++i) {
    if (!ctx.has_input(i)) continue;
    if (!ctx.input(i).IsTensor()) return Unimplemented(StrCat("input ", i, " is no tensor"));
    GE_ASSIGN_OR_RETURN(shape, Broadcast(shape, ctx.input(i).shape()));
  }
  return shape;
}

Status CheckSameDType(const InferContext& ctx, int first, int last) {
  const ValueType* reference = nullptr;
  for (int i = first; i <= last; ++i) {
    if (!ctx.has_input(i)) continue;
    if (!ctx.input(i).IsTensor()) return Unimplemented(StrCat("input ", i, " is no tensor"));
    if (!reference) reference = &ctx.input(i);
    if (ctx.input(i).dtype() != reference->dtype())
      return Unimplemented(
          StrCat("operands of different dtypes, ", Name(reference->dtype()), " and ", Name(ctx.input(i).dtype()), ": cast them first"));
  }
  return {};
}

Result<DType> CommonDType(const InferContext& ctx, int a, int b) {
  const Attr scalar = ctx.attr("scalar");
  const int present = ctx.has_input(a) + ctx.has_input(b);
  if (present + (scalar.IsNone() ? 0 : 1) != 2 || present == 0)
    return InvalidArgument(StrCat("expected two operands, one of which may be the attribute 'scalar'; found ", present, " tensors ",
                                  scalar.IsNone() ? "without" : "and", " 'scalar'"));
  GE_RETURN_IF_ERROR(CheckSameDType(ctx, std::min(a, b), std::max(a, b)));
  if (present == 2) return ctx.input(a).dtype();
  const DType common = PromoteScalar(ctx.input(ctx.has_input(a) ? a : b).dtype(), scalar);
  GE_RETURN_IF_ERROR(CheckScalarFits(scalar, common, "scalar"));
  return common;
}

Result<Types> InferSame(const InferContext& ctx) {
  GE_ASSIGN_OR_RETURN(ValueType x, FirstInput(ctx));
  return Types{std::move(x)};
}
Result<Types> InferFloat(const InferContext& ctx) {
  GE_ASSIGN_OR_RETURN(const ValueType x, FirstInput(ctx));
  return Types{ValueType::Tensor(ToFloat(x.dtype()), x.shape())};
}
Result<Types> InferPredicate(const InferContext& ctx) {
  GE_ASSIGN_OR_RETURN(const ValueType x, FirstInput(ctx));
  return Types{ValueType::Tensor(DType::kBool, x.shape())};
}
Result<Types> InferBinary(const InferContext& ctx) {
  return BinaryOf(ctx, [](DType t) { return t; });
}
Result<Types> InferBinaryFloat(const InferContext& ctx) { return BinaryOf(ctx, ToFloat); }
Result<Types> InferCompare(const InferContext& ctx) {
  return BinaryOf(ctx, [](DType) { return DType::kBool; });
}

Result<Types> InferScalar(const InferContext& ctx) {
  GE_ASSIGN_OR_RETURN(const ValueType x, FirstInput(ctx));
  const Attr value = ctx.attr("value");
  const DType common = PromoteScalar(x.dtype(), value);
  GE_RETURN_IF_ERROR(CheckScalarFits(value, common, "value"));
  return Types{ValueType::Tensor(common, x.shape())};
}

Result<Types> InferBroadcast(const InferContext& ctx) {
  const int last = static_cast<int>(ctx.inputs.size()) - 1;
  GE_RETURN_IF_ERROR(CheckSameDType(ctx, 0, last));
  GE_ASSIGN_OR_RETURN(Shape shape, BroadcastInputs(ctx, 0, last));
  return Types(ctx.op.num_outputs, ValueType::Tensor(ctx.input(0).dtype(), std::move(shape)));
}

// ---- reference kernels

Status NoKernel(const HostKernelContext& c, DType dtype) {
  return Unimplemented(StrCat(c.node.op().name, ": the reference kernel does not compute in ", Name(dtype)));
}

DType CommonDType(const HostKernelContext& c, int a, int b) {
  const Tensor* first = In(c, a);
  const Tensor* second = In(c, b);
  if (first && second) return first->dtype();
  return PromoteScalar((first ? first : second)->dtype(), c.node.attr("scalar"));
}

namespace {

template <typename C, typename T>
C Convert(T v) {
  if constexpr (elem::kIsSmallFloat<T>) {
    if constexpr (std::is_same_v<C, int64_t>)
      return 0;  // no such operand
    else
      return C(static_cast<float>(v));
  } else if constexpr (elem::kIsComplex<T>) {
    if constexpr (elem::kIsComplex<C>)
      return C(v.real(), v.imag());
    else
      return C(v.real());
  } else if constexpr (std::is_floating_point_v<T> && std::is_same_v<C, int64_t>) {
    return 0;  // no such operand
  } else if constexpr (elem::kIsComplex<C>) {
    return C(static_cast<double>(v), 0.0);
  } else {
    return static_cast<C>(v);
  }
}

// Source index of every output element, where the shapes differ.
std::vector<size_t> BroadcastIndex(const Shape& from, const Shape& to) {
  const size_t skip = to.size() - from.size();
  std::vector<int64_t> extents(to.size()), steps(to.size(), 0), index(to.size(), 0);
  int64_t step = 1;
  for (size_t d = to.size(); d-- > 0;) {
    extents[d] = to[d].value();
    if (d < skip) continue;
    const int64_t e = from[d - skip].value();
    steps[d] = e == 1 ? 0 : step;
    step *= e;
  }
  size_t n = 1;
  for (int64_t e : extents) n *= static_cast<size_t>(e);
  std::vector<size_t> out(n);
  int64_t at = 0;
  for (size_t i = 0; i < n; ++i) {
    out[i] = static_cast<size_t>(at);
    for (size_t d = to.size(); d-- > 0;) {
      at += steps[d];
      if (++index[d] < extents[d]) break;
      at -= steps[d] * extents[d];
      index[d] = 0;
    }
  }
  return out;
}

template <typename C, typename T>
Operand<C> LoadAs(const T* x, const Tensor& tensor, const ValueType& output) {
  using Stored = std::conditional_t<std::is_same_v<C, bool>, char, C>;
  const size_t n = static_cast<size_t>(output.StaticNumElements());
  if (tensor.type().shape() == output.shape()) {
    if constexpr (std::is_same_v<C, T>) return Operand<C>(x);
    std::vector<Stored> values(n);
    for (size_t i = 0; i < n; ++i) values[i] = Convert<C>(x[i]);
    return Operand<C>(std::move(values));
  }
  if constexpr (!std::is_same_v<C, bool>)
    if (tensor.num_elements() == 1) return Operand<C>::One(Convert<C>(x[0]));
  const std::vector<size_t> index = BroadcastIndex(tensor.type().shape(), output.shape());
  std::vector<Stored> values(n);
  for (size_t i = 0; i < n; ++i) values[i] = Convert<C>(x[index[i]]);
  return Operand<C>(std::move(values));
}

}  // namespace

template <typename C>
Operand<C> Load(const Tensor& tensor, const ValueType& output) {
  if constexpr (std::is_same_v<C, bool>) {
    GE_CHECK(tensor.dtype() == DType::kBool, "a condition must be bool");
    return LoadAs<bool>(tensor.data<bool>(), tensor, output);
  } else {
    std::optional<Operand<C>> loaded;
    const Status known = elem::VisitArithmetic(tensor.dtype(), "load", [&]<typename T>(Tag<T>) {
      loaded = LoadAs<C>(tensor.data<T>(), tensor, output);
      return Status();
    });
    GE_CHECK(known.ok(), "operand dtype outside the op's dtype set");
    return *std::move(loaded);
  }
}
template Operand<float> Load(const Tensor&, const ValueType&);
template Operand<double> Load(const Tensor&, const ValueType&);
template Operand<int64_t> Load(const Tensor&, const ValueType&);
template Operand<std::complex<double>> Load(const Tensor&, const ValueType&);
template Operand<bool> Load(const Tensor&, const ValueType&);

template <typename C>
C ScalarAs(const Attr& scalar, DType dtype, ScalarIs how) {
  if constexpr (elem::kIsComplex<C>) {
    const auto* z = scalar.Get<std::complex<double>>();
    const C v = z ? *z : C(scalar.AsDouble().value_or(0.0), 0.0);
    return dtype == DType::kC64 ? C(static_cast<float>(v.real()), static_cast<float>(v.imag())) : v;
  } else if constexpr (std::is_same_v<C, int64_t>) {
    const int64_t* i = scalar.Get<int64_t>();
    return i ? *i : scalar.Get<bool>() && *scalar.Get<bool>();
  } else {
    const int64_t* i = scalar.Get<int64_t>();  // not through double: that would round twice
    const C v = i ? static_cast<C>(*i) : static_cast<C>(scalar.AsDouble().value_or(0.0));
    return how == ScalarIs::kRounded ? RoundTo(dtype, v) : v;
  }
}
template float ScalarAs(const Attr&, DType, ScalarIs);
template double ScalarAs(const Attr&, DType, ScalarIs);
template int64_t ScalarAs(const Attr&, DType, ScalarIs);
template std::complex<double> ScalarAs(const Attr&, DType, ScalarIs);

template <typename C>
void Store(const C* values, Tensor& output) {
  const size_t n = static_cast<size_t>(output.num_elements());
  const Status known = elem::VisitArithmetic(output.dtype(), "store", [&]<typename T>(Tag<T>) {
    T* y = output.mutable_data<T>();
    if constexpr (elem::kIsComplex<C> != elem::kIsComplex<T>) {
      return Unimplemented("store");
    } else if constexpr (elem::kIsComplex<C>) {
      for (size_t i = 0; i < n; ++i)
        y[i] = T(static_cast<typename T::value_type>(values[i].real()), static_cast<typename T::value_type>(values[i].imag()));
    } else if constexpr (elem::kIsSmallFloat<T>) {
      for (size_t i = 0; i < n; ++i) y[i] = T(static_cast<float>(values[i]));
    } else if constexpr (std::is_same_v<T, bool>) {
      for (size_t i = 0; i < n; ++i) y[i] = values[i] != C(0);
    } else if constexpr (std::is_floating_point_v<C> && !std::is_floating_point_v<T>) {
      return Unimplemented("store");
    } else {
      for (size_t i = 0; i < n; ++i) y[i] = static_cast<T>(values[i]);
    }
    return Status();
  });
  GE_CHECK(known.ok(), "the output's dtype does not fit what was computed");
}
template void Store(const float*, Tensor&);
template void Store(const double*, Tensor&);
template void Store(const int64_t*, Tensor&);
template void Store(const std::complex<double>*, Tensor&);

Status CheckDivisor(const HostKernelContext& c) {
  const DType t = CommonDType(c);
  if (!kIntsBool.Has(t)) return {};
  const Operand<int64_t> divisor = LoadOrScalar<int64_t>(c, 1, t);
  const size_t n = static_cast<size_t>(c.outputs[0].num_elements());
  for (size_t i = 0; i < n; ++i)
    if (divisor[i] == 0) return InvalidArgument(StrCat(c.node.op().name, ": ZeroDivisionError: an integer divided by 0"));
  return {};
}

}  // namespace ge::elewise
