#include "ge_core/ir/type.h"

#include <array>
#include <charconv>

#include "ge_core/base/str.h"
#include "ge_core/ir/attr.h"

namespace ge {
namespace {
constexpr std::array<std::string_view, 6> kFormats = {"ND", "NCHW", "NHWC", "HWCN", "NCDHW", "NDHWC"};
}  // namespace

std::string_view Name(Format f) { return kFormats[static_cast<size_t>(f)]; }
std::optional<Format> FormatFromName(std::string_view name) {
  for (size_t i = 0; i < kFormats.size(); ++i)
    if (kFormats[i] == name) return static_cast<Format>(i);
  return std::nullopt;
}

std::optional<int64_t> StorageLayout::PackedBytes() const {
  const size_t colon = packed.find(':');
  if (kind != Kind::kPacked || colon == std::string::npos) return std::nullopt;
  int64_t bytes = 0;
  const char* end = packed.data() + packed.size();
  const auto [stop, error] = std::from_chars(packed.data() + colon + 1, end, bytes);
  if (error != std::errc() || bytes < 0 || stop == end || *stop != ':') return std::nullopt;
  return bytes;
}

bool ValueType::IsStatic() const {
  if (!IsTensor()) return false;
  for (const Dim& d : shape_)
    if (!d.IsConst()) return false;
  return true;
}

Dim ValueType::NumElements() const {
  Dim n = 1;
  for (const Dim& d : shape_) n = n * d;
  return n;
}

std::vector<Dim> ValueType::ContiguousStrides() const {
  std::vector<Dim> strides(shape_.size());
  Dim step = 1;
  for (size_t i = shape_.size(); i-- > 0;) {
    strides[i] = step;
    step = step * (shape_[i].IsConst() && shape_[i].value() < 1 ? Dim(1) : shape_[i]);
  }
  return strides;
}

std::vector<Dim> ValueType::Strides() const {
  GE_CHECK(layout.kind != StorageLayout::Kind::kPacked, "a packed layout has no strides");
  return layout.kind == StorageLayout::Kind::kStrided ? layout.strides : ContiguousStrides();
}

std::string ToString(const ValueType& type) {
  if (type.IsOpaque()) return "opaque";
  std::string out;
  if (type.IsSym()) {
    out = StrCat("sym.", Name(type.dtype()));
    if (!type.expr().IsUnknown()) out += StrCat("[", type.expr().ToString(), "]");
    return out;
  }
  out = StrCat(Name(type.dtype()), "[");
  for (size_t i = 0; i < type.shape().size(); ++i) out += StrCat(i ? "," : "", type.shape()[i].ToString());
  out += ']';
  if (type.format != Format::kND) out += StrCat(":", Name(type.format));
  switch (type.layout.kind) {
    case StorageLayout::Kind::kContiguous: break;
    case StorageLayout::Kind::kFree: out += "{free}"; break;
    case StorageLayout::Kind::kStrided:
      out += '{';
      for (size_t i = 0; i < type.layout.strides.size(); ++i) out += StrCat(i ? "," : "", type.layout.strides[i].ToString());
      out += '}';
      break;
    case StorageLayout::Kind::kPacked: out += StrCat("{packed ", ToString(Attr(type.layout.packed)), "}"); break;  // quoted and escaped
  }
  if (type.placement == ValueType::Placement::kHost) out += "@host";
  return out;
}

StorageLayout ChannelsLast(const Shape& shape) {
  std::vector<Dim> strides(shape.size(), Dim(1));
  Dim step = shape[1];
  for (size_t i = shape.size(); i-- > 2; step = step * shape[i]) strides[i] = step;
  strides[0] = step;
  return StorageLayout::Strided(std::move(strides));
}

}  // namespace ge
