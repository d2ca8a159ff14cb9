#include "ge_core/ir/dtype.h"

#include <array>

namespace ge {
namespace {
struct Row {
  std::string_view name;
  size_t size;
};
constexpr std::array<Row, kNumDTypes> kRows = {{
    {"f32", 4},      {"f16", 2},    {"bf16", 2},       {"f64", 8},        {"i8", 1},        {"i16", 2},      {"i32", 4}, {"i64", 8},
    {"u8", 1},       {"u16", 2},    {"u32", 4},        {"u64", 8},        {"bool", 1},      {"c32", 4},      {"c64", 8}, {"c128", 16},
    {"f8e4m3fn", 1}, {"f8e5m2", 1}, {"f8e4m3fnuz", 1}, {"f8e5m2fnuz", 1}, {"f8e8m0fnu", 1}, {"f4e2m1x2", 1},
}};
}  // namespace

std::string_view Name(DType t) { return kRows[static_cast<size_t>(t)].name; }
size_t SizeOf(DType t) { return kRows[static_cast<size_t>(t)].size; }
std::optional<DType> DTypeFromName(std::string_view name) {
  for (size_t i = 0; i < kRows.size(); ++i)
    if (kRows[i].name == name) return static_cast<DType>(i);
  return std::nullopt;
}

}  // namespace ge
