#include "ge_core/ir/text_literal.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

namespace ge::text {
namespace {

// Formats narrower than f32. `finite_only`: the all-ones exponent holds numbers; NaN is a single pattern (or pair).
struct Narrow {
  int exponent_bits, mantissa_bits, bias;
  bool finite_only;    // ...fn, ...fnuz
  bool unsigned_zero;  // ...fnuz: 0x80 is the only NaN
};

std::optional<Narrow> NarrowOf(DType t) {
  switch (t) {
    case DType::kF16:
    case DType::kC32: return Narrow{5, 10, 15, false, false};
    case DType::kBF16: return Narrow{8, 7, 127, false, false};
    case DType::kF8E5M2: return Narrow{5, 2, 15, false, false};
    case DType::kF8E4M3FN: return Narrow{4, 3, 7, true, false};
    case DType::kF8E5M2FNUZ: return Narrow{5, 2, 16, true, true};
    case DType::kF8E4M3FNUZ: return Narrow{4, 3, 8, true, true};
    default: return std::nullopt;
  }
}

double Decode(const Narrow& f, uint32_t bits) {
  const uint32_t mantissa = bits & ((1u << f.mantissa_bits) - 1);
  const uint32_t exponent = bits >> f.mantissa_bits & ((1u << f.exponent_bits) - 1);
  const uint32_t top = (1u << f.exponent_bits) - 1;
  const bool negative = bits >> (f.exponent_bits + f.mantissa_bits) & 1;
  if (f.unsigned_zero && negative && exponent == 0 && mantissa == 0) return std::nan("");
  if (!f.finite_only && exponent == top) return mantissa ? std::nan("") : negative ? -HUGE_VAL : HUGE_VAL;
  if (f.finite_only && !f.unsigned_zero && exponent == top && mantissa == (1u << f.mantissa_bits) - 1) return std::nan("");
  const double magnitude =
      exponent ? std::ldexp(static_cast<double>(mantissa + (1u << f.mantissa_bits)), static_cast<int>(exponent) - f.bias - f.mantissa_bits)
               : std::ldexp(static_cast<double>(mantissa), 1 - f.bias - f.mantissa_bits);
  return negative ? -magnitude : magnitude;
}

// Nearest, ties to even; nullopt where a finite number becomes infinite or NaN.
std::optional<uint32_t> Encode(const Narrow& f, double v) {
  const uint32_t sign = std::signbit(v) ? 1u << (f.exponent_bits + f.mantissa_bits) : 0;
  const double a = std::fabs(v);
  if (a == 0) return f.unsigned_zero ? 0 : sign;
  const int lowest = 1 - f.bias;
  const int exponent = std::max(std::ilogb(a), lowest);
  if (exponent > f.bias + 2) return std::nullopt;
  const auto mantissa = static_cast<uint32_t>(std::nearbyint(std::ldexp(a, f.mantissa_bits - exponent)));
  // A mantissa without its leading one is subnormal; one that rounded up carries into the exponent by itself.
  const uint32_t bits = (static_cast<uint32_t>(exponent - lowest) << f.mantissa_bits) + mantissa;
  if (bits >> (f.exponent_bits + f.mantissa_bits)) return std::nullopt;
  if (!std::isfinite(Decode(f, bits))) return std::nullopt;
  return f.unsigned_zero && bits == 0 ? 0 : sign | bits;
}

uint64_t QuietNan(DType t) {
  switch (t) {
    case DType::kF64:
    case DType::kC128: return 0x7ff8000000000000;
    case DType::kF32:
    case DType::kC64: return 0x7fc00000;
    case DType::kF16:
    case DType::kC32: return 0x7e00;
    case DType::kBF16: return 0x7fc0;
    case DType::kF8E5M2: return 0x7e;
    case DType::kF8E4M3FN: return 0x7f;
    case DType::kF8E8M0FNU: return 0xff;
    default: return 0x80;
  }
}

int PartBits(DType t) { return static_cast<int>(SizeOf(t)) * 8 / (IsComplex(t) ? 2 : 1); }

template <typename T>
T Load(const std::byte* p) {
  T v;
  std::memcpy(&v, p, sizeof v);
  return v;
}
uint64_t LoadBits(const std::byte* p, int bits) {
  uint64_t v = 0;
  std::memcpy(&v, p, static_cast<size_t>(bits / 8));
  return v;
}

// The value of one floating part.
double Value(DType t, const std::byte* p) {
  const int bits = PartBits(t);
  if (bits == 64) return Load<double>(p);
  if (bits == 32) return Load<float>(p);
  if (t == DType::kF8E8M0FNU) {
    const int e = static_cast<int>(LoadBits(p, 8));
    return e == 255 ? std::nan("") : std::ldexp(1.0, e - 127);
  }
  return Decode(*NarrowOf(t), static_cast<uint32_t>(LoadBits(p, bits)));
}

std::optional<uint64_t> BitsOfNumber(DType t, std::string_view token) {
  const char *first = token.data(), *last = first + token.size();
  if (PartBits(t) == 32) {
    float v = 0;
    if (std::from_chars(first, last, v).ec != std::errc()) return std::nullopt;
    return std::bit_cast<uint32_t>(v);
  }
  double v = 0;
  if (std::from_chars(first, last, v).ec != std::errc()) return std::nullopt;
  if (PartBits(t) == 64) return std::bit_cast<uint64_t>(v);
  if (t == DType::kF8E8M0FNU) {
    if (!(v > 0)) return std::nullopt;
    const int e = std::ilogb(v);
    if (std::ldexp(1.0, e) != v || e < -127 || e > 127) return std::nullopt;
    return static_cast<uint64_t>(e + 127);
  }
  if (auto bits = Encode(*NarrowOf(t), v)) return *bits;
  return std::nullopt;
}

void AppendFloat(std::string& out, DType t, const std::byte* p) {
  const int width = PartBits(t);
  const uint64_t bits = LoadBits(p, width);
  const double v = Value(t, p);
  char buf[64];
  if (std::isnan(v)) {
    if (bits == QuietNan(t)) {
      out += "nan";
    } else {
      out += "nan(0x";
      out.append(buf, std::to_chars(buf, buf + sizeof buf, bits, 16).ptr);
      out += ')';
    }
    return;
  }
  if (std::isinf(v)) {
    out += v < 0 ? "-inf" : "inf";
    return;
  }
  if (v == 0) {
    out += std::signbit(v) ? "-0.0" : "0";
    return;
  }
  const bool short_integer = v == std::trunc(v) && std::fabs(v) < 1e6;  // 448 rather than the shorter-in-digits 4.5e+02
  if (width >= 32 || short_integer) {
    out.append(buf,
               (width != 32 ? std::to_chars(buf, buf + sizeof buf, v) : std::to_chars(buf, buf + sizeof buf, static_cast<float>(v))).ptr);
    return;
  }
  for (int precision = 1; precision <= 17; ++precision) {  // the shortest that reads back
    const char* end = std::to_chars(buf, buf + sizeof buf, v, std::chars_format::general, precision).ptr;
    const std::string_view token(buf, static_cast<size_t>(end - buf));
    if (precision == 17 || BitsOfNumber(t, token) == bits) {
      out += token;
      return;
    }
  }
}

template <typename T>
void AppendInt(std::string& out, const std::byte* p) {
  char buf[32];
  out.append(buf, std::to_chars(buf, buf + sizeof buf, Load<T>(p)).ptr);
}

template <typename T>
Status ParseInt(Cursor& c, DType t, std::byte* out) {
  c.Skip();
  const size_t at = c.pos();
  const std::string_view token = NumberToken(c);
  T v{};
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), v);
  if (token.empty()) return c.Fail(StrCat("expected an element of ", Name(t)));
  if (error != std::errc() || end != token.data() + token.size()) return c.FailAt(at, StrCat("'", token, "' is not an ", Name(t)));
  std::memcpy(out, &v, sizeof v);
  return {};
}

Status ParseFloat(Cursor& c, DType t, std::byte* out) {
  c.Skip();
  const size_t at = c.pos();
  const int width = PartBits(t);
  uint64_t bits = 0;
  if (c.EatWord("nan")) {
    bits = QuietNan(t);
    if (c.Raw() == '(') {
      GE_ASSIGN_OR_RETURN(bits, ParseNanBits(c, width));
      std::byte raw[8];
      std::memcpy(raw, &bits, sizeof raw);
      if (!std::isnan(Value(t, raw))) return c.FailAt(at, StrCat("this bit pattern is not a NaN of ", Name(t)));
    }
  } else {
    const bool negative = c.Eat('-');
    if (c.EatWord("inf")) {
      if (width == 64)
        bits = std::bit_cast<uint64_t>(HUGE_VAL);
      else if (width == 32)
        bits = std::bit_cast<uint32_t>(HUGE_VALF);
      else if (auto n = NarrowOf(t); n && !n->finite_only)
        bits = ((1u << n->exponent_bits) - 1) << n->mantissa_bits;
      else
        return c.FailAt(at, StrCat(Name(t), " has no infinity"));
      if (negative) bits |= uint64_t{1} << (width - 1);
    } else {
      c.Seek(at);
      const std::string_view token = NumberToken(c);
      if (token.empty()) return c.Fail(StrCat("expected an element of ", Name(t)));
      auto number = BitsOfNumber(t, token);
      if (!number) return c.FailAt(at, StrCat("'", token.substr(0, 40), "' is not a number that ", Name(t), " can hold"));
      bits = *number;
    }
  }
  std::memcpy(out, &bits, static_cast<size_t>(width / 8));
  return {};
}

}  // namespace

std::string_view NumberToken(Cursor& c) {
  c.Skip();
  const std::string_view text = c.text();
  const size_t start = c.pos();
  size_t p = start;
  auto digits = [&] {
    const size_t from = p;
    while (p < text.size() && std::isdigit(static_cast<unsigned char>(text[p]))) ++p;
    return p > from;
  };
  if (p < text.size() && text[p] == '-') ++p;
  if (!digits()) return {};
  if (p + 1 < text.size() && text[p] == '.' && std::isdigit(static_cast<unsigned char>(text[p + 1]))) {
    ++p;
    digits();
  }
  if (p < text.size() && (text[p] == 'e' || text[p] == 'E')) {
    const size_t mark = p++;
    if (p < text.size() && (text[p] == '+' || text[p] == '-')) ++p;
    if (!digits()) p = mark;
  }
  c.Seek(p);
  return text.substr(start, p - start);
}

Result<uint64_t> ParseNanBits(Cursor& c, int bits) {
  GE_RETURN_IF_ERROR(c.Expect('('));
  const size_t at = c.pos();
  const std::string_view token = c.Word();
  uint64_t v = 0;
  const bool prefix = token.starts_with("0x");
  const char* last = token.data() + token.size();
  const auto r = std::from_chars(token.data() + (prefix ? 2 : 0), last, v, 16);
  if (!prefix || r.ec != std::errc() || r.ptr != last || (bits < 64 && v >> bits))
    return c.FailAt(at, StrCat("expected a bit pattern of ", bits, " bits, as 0x7fc0"));
  GE_RETURN_IF_ERROR(c.Expect(')'));
  return v;
}

void AppendElement(std::string& out, DType t, const std::byte* p) {
  switch (t) {
    case DType::kI8: return AppendInt<int8_t>(out, p);
    case DType::kI16: return AppendInt<int16_t>(out, p);
    case DType::kI32: return AppendInt<int32_t>(out, p);
    case DType::kI64: return AppendInt<int64_t>(out, p);
    case DType::kU8:
    case DType::kF4E2M1X2: return AppendInt<uint8_t>(out, p);  // F4: the byte of a pair
    case DType::kU16: return AppendInt<uint16_t>(out, p);
    case DType::kU32: return AppendInt<uint32_t>(out, p);
    case DType::kU64: return AppendInt<uint64_t>(out, p);
    case DType::kBool: out += *p == std::byte{0} ? "false" : "true"; return;
    case DType::kC32:
    case DType::kC64:
    case DType::kC128:
      out += "complex(";
      AppendFloat(out, t, p);
      out += ',';
      AppendFloat(out, t, p + SizeOf(t) / 2);
      out += ')';
      return;
    default: return AppendFloat(out, t, p);
  }
}

Status ParseElement(Cursor& c, DType t, std::byte* out) {
  switch (t) {
    case DType::kI8: return ParseInt<int8_t>(c, t, out);
    case DType::kI16: return ParseInt<int16_t>(c, t, out);
    case DType::kI32: return ParseInt<int32_t>(c, t, out);
    case DType::kI64: return ParseInt<int64_t>(c, t, out);
    case DType::kU8:
    case DType::kF4E2M1X2: return ParseInt<uint8_t>(c, t, out);
    case DType::kU16: return ParseInt<uint16_t>(c, t, out);
    case DType::kU32: return ParseInt<uint32_t>(c, t, out);
    case DType::kU64: return ParseInt<uint64_t>(c, t, out);
    case DType::kBool: {
      const bool yes = c.EatWord("true");
      if (!yes && !c.EatWord("false")) return c.Fail("expected true or false");
      *out = std::byte{yes};
      return {};
    }
    case DType::kC32:
    case DType::kC64:
    case DType::kC128:
      if (!c.EatWord("complex")) return c.Fail("expected complex(real,imaginary)");
      GE_RETURN_IF_ERROR(c.Expect('('));
      GE_RETURN_IF_ERROR(ParseFloat(c, t, out));
      GE_RETURN_IF_ERROR(c.Expect(','));
      GE_RETURN_IF_ERROR(ParseFloat(c, t, out + SizeOf(t) / 2));
      return c.Expect(')');
    default: return ParseFloat(c, t, out);
  }
}

}  // namespace ge::text
