#include "host_kernels/convert.h"

#include "host_kernels/element_util.h"

namespace ge {
namespace {

// float to a signed or 8-bit integer, by way of the type that the instruction knows.
template <typename Out>
Out Truncate(double v) {
  using Through = std::conditional_t<std::is_same_v<Out, int64_t> || std::is_same_v<Out, uint8_t>, int64_t, int32_t>;
  constexpr double kLimit = std::is_same_v<Through, int64_t> ? 9223372036854775808.0 : 2147483648.0;
  const double t = std::trunc(v);
  const Through i = t >= -kLimit && t < kLimit ? static_cast<Through>(t) : std::numeric_limits<Through>::min();
  return static_cast<Out>(i);
}

template <typename T>
inline constexpr bool kIsWideUnsigned = std::is_same_v<T, uint16_t> || std::is_same_v<T, uint32_t> || std::is_same_v<T, uint64_t>;

// Out is real or bool, In real or bool.
template <typename Out, typename In>
Out ConvertReal(In v) {
  if constexpr (std::is_same_v<Out, In>) {
    return v;
  } else if constexpr (std::is_same_v<Out, bool>) {
    if constexpr (elem::kIsSmallFloat<In>)
      return static_cast<float>(v) != 0;
    else
      return v != In(0);
  } else if constexpr (elem::kIsSmallFloat<Out>) {
    return Out(static_cast<float>(v));  // f64 and integers are rounded twice, as in PyTorch
  } else if constexpr (std::is_integral_v<Out> && elem::kIsFloat<In>) {
    if constexpr (kIsWideUnsigned<Out>)
      return static_cast<Out>(static_cast<int64_t>(elem::Widen(v)));  // checked before: it fits
    else
      return Truncate<Out>(elem::Widen(v));
  } else if constexpr (elem::kIsSmallFloat<In>) {
    return static_cast<Out>(static_cast<float>(v));
  } else {
    return static_cast<Out>(v);
  }
}

}  // namespace

Status ConvertInto(const Tensor& x, Tensor& out, std::string_view op) {
  const size_t n = static_cast<size_t>(x.num_elements());
  if (x.dtype() == out.dtype()) {
    std::memcpy(out.mutable_data<std::byte>(), x.data<std::byte>(), x.bytes().size());
    return {};
  }
  return elem::VisitArithmetic(x.dtype(), op, [&](auto in_tag) -> Status {
    using In = typename decltype(in_tag)::type;
    return elem::VisitArithmetic(out.dtype(), op, [&](auto out_tag) -> Status {
      using Out = typename decltype(out_tag)::type;
      const In* in = x.data<In>();
      Out* y = out.mutable_data<Out>();
      if constexpr (elem::kIsComplex<In> && !elem::kIsComplex<Out>) {
        return Unimplemented(StrCat(op, ": ", Name(x.dtype()), " to ", Name(out.dtype()), " loses the imaginary part"));
      } else if constexpr (elem::kIsComplex<Out>) {
        using Part = typename Out::value_type;
        for (size_t i = 0; i < n; ++i) {
          if constexpr (elem::kIsComplex<In>)
            y[i] = Out(static_cast<Part>(in[i].real()), static_cast<Part>(in[i].imag()));
          else
            y[i] = Out(ConvertReal<Part>(in[i]), Part(0));
        }
        return {};
      } else {
        if constexpr (elem::kIsFloat<In> && kIsWideUnsigned<Out>) {
          for (size_t i = 0; i < n; ++i)
            if (const double v = elem::Widen(in[i]);
                !(v > -1.0 && v < static_cast<double>(std::min<uint64_t>(std::numeric_limits<Out>::max(), int64_t{1} << 62))))
              return Unimplemented(StrCat(op, ": ", v, " does not fit ", Name(out.dtype())));
        }
        for (size_t i = 0; i < n; ++i) y[i] = ConvertReal<Out>(in[i]);
        return {};
      }
    });
  });
}

Result<Tensor> ConvertTensor(const Tensor& x, DType dtype, std::string_view op) {
  if (x.dtype() == dtype) return x;
  Tensor out(ValueType::Tensor(dtype, x.type().shape()));
  GE_RETURN_IF_ERROR(ConvertInto(x, out, op));
  return out;
}

}  // namespace ge
