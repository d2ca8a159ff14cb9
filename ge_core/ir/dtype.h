#pragma once
// Element types: every dtype of a PyTorch CPU tensor that is not quantised (those are opaque values).
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "ge_core/base/api.h"

namespace ge {

enum class DType : uint8_t {
  kF32,
  kF16,
  kBF16,
  kF64,
  kI8,
  kI16,
  kI32,
  kI64,
  kU8,
  kU16,
  kU32,
  kU64,
  kBool,
  kC32,
  kC64,
  kC128,  // complex; the number is the size of the pair in bits
  kF8E4M3FN,
  kF8E5M2,
  kF8E4M3FNUZ,
  kF8E5M2FNUZ,
  kF8E8M0FNU,
  kF4E2M1X2,
};
inline constexpr int kNumDTypes = 22;

// Text-form name: "f32", "bf16", "i64", "bool", "c64", ...
GE_API std::string_view Name(DType t);
GE_API std::optional<DType> DTypeFromName(std::string_view name);
// Bytes of one element as stored (two F4 values share one element, as in PyTorch's float4_e2m1fn_x2).
GE_API size_t SizeOf(DType t);

inline bool IsFloating(DType t) { return t <= DType::kF64 || t >= DType::kF8E4M3FN; }
inline bool IsComplex(DType t) { return t >= DType::kC32 && t <= DType::kC128; }
inline bool IsIntegral(DType t) { return t >= DType::kI8 && t <= DType::kU64; }  // bool excluded
inline bool IsSignedInt(DType t) { return t >= DType::kI8 && t <= DType::kI64; }

// A set of dtypes, for the ports of an OpDef.
struct TypeSet {
  uint32_t bits = ~0u;
  constexpr bool Has(DType t) const { return bits >> static_cast<int>(t) & 1; }
  constexpr TypeSet operator|(TypeSet o) const { return {bits | o.bits}; }
};
template <typename... T>
constexpr TypeSet TypesOf(T... t) {
  return {((1u << static_cast<int>(t)) | ...)};
}
inline constexpr TypeSet kAnyType{};
inline constexpr TypeSet kFloatTypes = TypesOf(DType::kF32, DType::kF16, DType::kBF16, DType::kF64);
inline constexpr TypeSet kIntTypes =
    TypesOf(DType::kI8, DType::kI16, DType::kI32, DType::kI64, DType::kU8, DType::kU16, DType::kU32, DType::kU64);
inline constexpr TypeSet kBoolType = TypesOf(DType::kBool);
inline constexpr TypeSet kComplexTypes = TypesOf(DType::kC32, DType::kC64, DType::kC128);
inline constexpr TypeSet kIndexTypes = TypesOf(DType::kI32, DType::kI64);
inline constexpr TypeSet kI64Type = TypesOf(DType::kI64);
inline constexpr TypeSet kRealTypes = kFloatTypes | kIntTypes;          // no bool, no complex
inline constexpr TypeSet kNumericTypes = kRealTypes | kComplexTypes;    // no bool
inline constexpr TypeSet kArithmeticTypes = kNumericTypes | kBoolType;  // what PyTorch arithmetic accepts

}  // namespace ge
