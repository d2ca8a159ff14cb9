#include "host_kernels/shape_util.h"

#include <cstring>

#include "host_kernels/element_util.h"

namespace ge {

Result<int64_t> NormalizeAxis(int64_t axis, int64_t rank, std::string_view op) {
  const int64_t n = rank == 0 ? 1 : rank;
  if (axis < -n || axis >= n)
    return InvalidArgument(StrCat(op, ": axis ", axis, " is out of range for a tensor of ", rank, " axes; expected ", -n, " to ", n - 1));
  return axis < 0 ? axis + n : axis;
}

Result<std::vector<int64_t>> NormalizeAxes(std::span<const int64_t> axes, int64_t rank, std::string_view op) {
  std::vector<int64_t> out;
  for (int64_t a : axes) {
    GE_ASSIGN_OR_RETURN(const int64_t axis, NormalizeAxis(a, rank, op));
    for (int64_t seen : out)
      if (seen == axis) return InvalidArgument(StrCat(op, ": axis ", axis, " appears more than once in the list of axes"));
    out.push_back(axis);
  }
  return out;
}

std::vector<int64_t> IntsOf(const Tensor& tensor) {
  std::vector<int64_t> out(static_cast<size_t>(tensor.num_elements()));
  for (size_t k = 0; k < out.size(); ++k) out[k] = tensor.dtype() == DType::kI64 ? tensor.data<int64_t>()[k] : tensor.data<int32_t>()[k];
  return out;
}

Result<int64_t> IntOf(const Tensor& tensor, std::string_view op) {
  if (tensor.num_elements() != 1)
    return InvalidArgument(StrCat(op, ": expected an operand of one integer, found ", ToString(tensor.type())));
  return IntsOf(tensor)[0];
}

std::vector<int64_t> Extents(const ValueType& type) {
  std::vector<int64_t> out;
  for (const Dim& d : type.shape()) out.push_back(d.value());
  return out;
}

std::vector<int64_t> RowStrides(std::span<const int64_t> extents) {
  std::vector<int64_t> strides(extents.size());
  int64_t step = 1;
  for (size_t i = extents.size(); i-- > 0;) {
    strides[i] = step;
    step *= extents[i] < 1 ? 1 : extents[i];
  }
  return strides;
}

int64_t Product(std::span<const int64_t> extents) {
  int64_t n = 1;
  for (int64_t e : extents) n *= e;
  return n;
}

std::optional<int64_t> OperandLength(const InferContext& ctx, int i) {
  if (!ctx.has_input(i)) return std::nullopt;
  const ValueType& t = ctx.input(i);
  if (t.IsSym() || (t.IsTensor() && t.rank() == 0)) return 1;
  if (!t.IsTensor() || t.rank() != 1 || !t.shape()[0].IsConst()) return std::nullopt;
  return t.shape()[0].value();
}

Result<std::vector<Dim>> OperandDims(const InferContext& ctx, int i) {
  const std::optional<int64_t> length = OperandLength(ctx, i);
  if (!length)
    return Unimplemented(
        StrCat(ctx.op.name, ": operand '", ctx.op.inputs[static_cast<size_t>(i)].name, "' must be a list of known length"));
  if (const auto ints = ctx.ConstInts(i)) return std::vector<Dim>(ints->begin(), ints->end());
  if (ctx.input(i).IsSym()) return std::vector<Dim>{ctx.input(i).expr()};
  return std::vector<Dim>(static_cast<size_t>(*length), Dim::Unknown());
}

std::optional<Dim> OperandDim(const InferContext& ctx, int i) {
  if (!ctx.has_input(i)) return std::nullopt;
  if (ctx.input(i).IsSym()) return ctx.input(i).expr();
  const auto ints = ctx.ConstInts(i);
  return ints && ints->size() == 1 ? Dim((*ints)[0]) : Dim::Unknown();
}

Result<std::vector<int64_t>> ConstAxes(const InferContext& ctx, int i, int64_t rank) {
  const auto ints = ctx.ConstInts(i);
  if (!ints)
    return Unimplemented(
        StrCat(ctx.op.name, ": operand '", ctx.op.inputs[static_cast<size_t>(i)].name, "' decides the rank and must be constant"));
  return NormalizeAxes(*ints, rank, ctx.op.name);
}

Result<ValueType> RelabelledType(const InferContext& ctx) {
  const ValueType& x = ctx.input(0);
  if (!x.IsTensor()) return InvalidArgument(StrCat(ctx.op.name, ": operand 0 is no tensor"));
  ValueType y = ValueType::Tensor(x.dtype(), x.shape());
  y.format = x.format;
  return y;
}

bool MayHaveEqualSize(const Shape& a, const Shape& b) {
  Dim x = 1, y = 1;
  for (const Dim& d : a) x = x * d;
  for (const Dim& d : b) y = y * d;
  return !CertainlyDifferent(x, y);
}

Result<Shape> BroadcastShapes(const Shape& a, const Shape& b, std::string_view op) {
  Shape out(std::max(a.size(), b.size()));
  for (size_t k = 0; k < out.size(); ++k) {  // from the last axis
    const Dim x = k < a.size() ? a[a.size() - 1 - k] : Dim(1), y = k < b.size() ? b[b.size() - 1 - k] : Dim(1);
    Dim& d = out[out.size() - 1 - k];
    if (x == y || y.Is(1))
      d = x;
    else if (x.Is(1))
      d = y;
    else if (CertainlyDifferent(x, y))
      return InvalidArgument(StrCat(op, ": extents ", x.ToString(), " and ", y.ToString(), " at axis ",
                                    static_cast<int64_t>(out.size() - 1 - k), " do not broadcast"));
    else if (x.IsConst())
      d = x;  // the other must be 1 or this extent
    else if (y.IsConst())
      d = y;
    else
      d = Dim::Unknown();
  }
  return out;
}

std::optional<DType> PromoteDTypes(DType a, DType b) {
  if (a == b) return a;
  const auto basic = [](DType t) { return t <= DType::kU8 || t >= DType::kBool; };
  if (a >= DType::kF8E4M3FN || b >= DType::kF8E4M3FN) return std::nullopt;
  const auto max_float = [](DType x, DType y) {  // of two different floats
    if (x == DType::kF64 || y == DType::kF64) return DType::kF64;
    return DType::kF32;  // f16 with bf16, or either with f32
  };
  const auto to_complex = [](DType f) { return f == DType::kF64 ? DType::kC128 : f == DType::kF16 ? DType::kC32 : DType::kC64; };
  if (IsComplex(a) || IsComplex(b)) {
    if (!IsComplex(a)) std::swap(a, b);
    if (IsComplex(b)) return std::max(a, b);
    return IsFloating(b) ? std::max(a, to_complex(b)) : a;
  }
  if (IsFloating(a) || IsFloating(b)) {
    if (!IsFloating(a)) std::swap(a, b);
    return IsFloating(b) ? max_float(a, b) : a;
  }
  if (a == DType::kBool) return b;
  if (b == DType::kBool) return a;
  if (!basic(a) || !basic(b)) return std::nullopt;  // u16, u32, u64 do not promote with other integers
  if (a == DType::kU8 || b == DType::kU8) {
    const DType other = a == DType::kU8 ? b : a;
    return other == DType::kI8 ? DType::kI16 : other;
  }
  return std::max(a, b);  // i8 < i16 < i32 < i64 in the enumeration
}

std::optional<DType> DTypeOfScalar(const Attr& scalar) {
  if (scalar.Is<bool>()) return DType::kBool;
  if (scalar.Is<int64_t>()) return DType::kI64;
  if (scalar.Is<double>()) return DType::kF32;
  if (scalar.Is<std::complex<double>>()) return DType::kC64;
  return std::nullopt;
}

namespace {

template <typename Copy>
void CopyBySize(size_t element_size, Copy&& copy) {
  switch (element_size) {
    case 1: copy(uint8_t{}); break;
    case 2: copy(uint16_t{}); break;
    case 4: copy(uint32_t{}); break;
    case 8: copy(uint64_t{}); break;
    default: {
      struct Pair {
        uint64_t a, b;
      };
      copy(Pair{});
    }
  }
}

}  // namespace

void CopyFromStrided(void* dense, const void* base, size_t element_size, std::span<const int64_t> extents, std::span<const int64_t> strides,
                     int64_t offset) {
  CopyBySize(element_size, [&](auto sample) {
    using T = decltype(sample);
    T* out = static_cast<T*>(dense);
    const T* in = static_cast<const T*>(base);
    ForEachOffset(extents, strides, offset, [&](int64_t o) { *out++ = in[o]; });
  });
}

void CopyToStrided(void* base, const void* dense, size_t element_size, std::span<const int64_t> extents, std::span<const int64_t> strides,
                   int64_t offset) {
  CopyBySize(element_size, [&](auto sample) {
    using T = decltype(sample);
    T* out = static_cast<T*>(base);
    const T* in = static_cast<const T*>(dense);
    ForEachOffset(extents, strides, offset, [&](int64_t o) { out[o] = *in++; });
  });
}

Status CopyBytes(const HostKernelContext& ctx) {
  const auto from = ctx.inputs[0]->bytes();
  if (from.size() != ctx.outputs[0].bytes().size())
    return Internal(StrCat(ctx.node.op().name, ": input and output differ in size: ", static_cast<int64_t>(from.size()), " and ",
                           static_cast<int64_t>(ctx.outputs[0].bytes().size()), " bytes"));
  if (!from.empty()) std::memcpy(ctx.outputs[0].mutable_data<std::byte>(), from.data(), from.size());
  return {};
}

Status CopyView(const HostKernelContext& ctx, std::span<const int64_t> strides, int64_t offset) {
  Tensor& out = ctx.outputs[0];
  CopyFromStrided(out.mutable_data<void>(), ctx.inputs[0]->data<void>(), SizeOf(out.dtype()), Extents(out.type()), strides, offset);
  return {};
}

AxisSplit SplitAtAxis(std::span<const int64_t> extents, int64_t axis) {
  AxisSplit s;
  for (int64_t d = 0; d < static_cast<int64_t>(extents.size()); ++d) {
    const int64_t e = extents[static_cast<size_t>(d)];
    (d < axis ? s.outer : d == axis ? s.extent : s.inner) *= e;
  }
  return s;
}

void StoreInts(Tensor& output, std::span<const int64_t> values) {
  for (size_t k = 0; k < values.size(); ++k) {
    if (output.dtype() == DType::kI32)
      output.mutable_data<int32_t>()[k] = static_cast<int32_t>(values[k]);
    else
      output.mutable_data<int64_t>()[k] = values[k];
  }
}

namespace {

// Whether a number lies in the range of a floating-point type; infinities and NaN do.
template <typename T>
bool Fits(double v) {
  double largest = std::numeric_limits<double>::max();
  if constexpr (std::is_same_v<T, float>) largest = std::numeric_limits<float>::max();
  if constexpr (std::is_same_v<T, elem::Half>) largest = 65504;
  if constexpr (std::is_same_v<T, elem::BFloat16>) largest = 3.3895313892515355e38;
  return !std::isfinite(v) || std::abs(v) <= largest;
}

}  // namespace

Status StoreScalar(const Attr& value, DType dtype, void* element, std::string_view op) {
  const auto overflow = [&](const std::string& v) {
    return InvalidArgument(StrCat(op, ": ", v, " cannot be converted to ", Name(dtype), " without overflow"));
  };
  return elem::VisitArithmetic(dtype, op, [&](auto tag) -> Status {
    using T = typename decltype(tag)::type;
    T out{};
    if (const auto* c = value.Get<std::complex<double>>()) {
      if constexpr (elem::kIsComplex<T>) {
        if (!Fits<typename T::value_type>(c->real()) || !Fits<typename T::value_type>(c->imag())) return overflow(ToString(value));
        out = static_cast<T>(*c);
      } else if constexpr (std::is_same_v<T, bool>)
        out = *c != 0.0;
      else
        return InvalidArgument(StrCat(op, ": a complex value cannot become ", Name(dtype)));
    } else if (const auto* b = value.Get<bool>()) {
      out = elem::Narrow<T>(static_cast<elem::Wide<T>>(*b ? 1 : 0));
    } else if (const auto* i = value.Get<int64_t>()) {
      if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
        // Unsigned targets take negative values that wrap into range, as c10::checked_convert allows.
        const bool fits = std::is_signed_v<T> ? *i >= static_cast<int64_t>(std::numeric_limits<T>::min()) &&
                                                    *i <= static_cast<int64_t>(std::numeric_limits<T>::max())
                                              : sizeof(T) == 8 || (*i <= static_cast<int64_t>(std::numeric_limits<T>::max()) &&
                                                                   *i >= -static_cast<int64_t>(std::numeric_limits<T>::max()));
        if (!fits) return overflow(ToString(value));
        out = static_cast<T>(*i);
      } else if constexpr (elem::kIsFloat<T> && !std::is_same_v<T, double>) {
        if (!Fits<T>(static_cast<double>(*i))) return overflow(ToString(value));
        out = T(static_cast<float>(*i));  // one rounding, not by way of double
      } else {
        out = elem::Narrow<T>(static_cast<elem::Wide<T>>(*i));
      }
    } else if (const auto* d = value.Get<double>()) {
      if constexpr (std::is_same_v<T, bool>)
        out = *d != 0;
      else if constexpr (std::is_integral_v<T>) {
        const double low = std::is_signed_v<T> ? static_cast<double>(std::numeric_limits<T>::min()) : 0.0;
        const double high = std::ldexp(1.0, std::numeric_limits<T>::digits);
        if (!(*d >= low && *d < high)) return overflow(ToString(value));
        out = static_cast<T>(*d);
      } else {
        if constexpr (elem::kIsComplex<T>) {
          if (!Fits<typename T::value_type>(*d)) return overflow(ToString(value));
        } else {
          if (!Fits<T>(*d)) return overflow(ToString(value));
        }
        out = elem::Narrow<T>(static_cast<elem::Wide<T>>(*d));
      }
    } else {
      return InvalidArgument(StrCat(op, ": expected a number, found ", ToString(value)));
    }
    std::memcpy(element, &out, sizeof out);
    return {};
  });
}

void SplatElement(Tensor& output, const void* element) {
  const size_t size = SizeOf(output.dtype());
  std::byte* out = output.mutable_data<std::byte>();
  for (int64_t k = 0, n = output.num_elements(); k < n; ++k) std::memcpy(out + static_cast<size_t>(k) * size, element, size);
}

}  // namespace ge
