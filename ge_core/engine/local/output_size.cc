#include "ge_core/engine/local/output_size.h"

#include <algorithm>

#include "ge_core/base/str.h"

namespace ge::local {
namespace {

constexpr std::string_view kRoundedUp[] = {"Data", "RefData", "QueueData", "AippData", "PhonyConcat", "PartitionedCall"};
constexpr int64_t kStringHead = 16;  // address and length of one string

// The strings of a text constant, nullopt if the value is none.
std::optional<int64_t> TextBytes(const Attr& value) {
  const auto one = [](const std::string& s) { return kStringHead + static_cast<int64_t>(s.size()) + 1; };
  if (const auto* s = value.Get<std::string>()) return one(*s);
  const auto* list = value.Get<Attr::List>();
  if (!list || list->empty()) return std::nullopt;
  int64_t bytes = 0;
  for (const Attr& item : *list) {
    const auto* s = item.Get<std::string>();
    if (!s) return std::nullopt;
    bytes += one(*s);
  }
  return bytes;
}

Result<int64_t> DenseBytes(const Node& node, const ValueType& type) {
  if (const auto packed = type.layout.PackedBytes()) return *packed;
  int64_t bytes = static_cast<int64_t>(SizeOf(type.dtype()));
  for (const Dim& d : type.shape()) {
    if (d.value() == 0) return 0;
    if (d.value() < 0 || __builtin_mul_overflow(bytes, d.value(), &bytes))
      return InvalidArgument(StrCat("'", node.name(), "' (", node.op().name, "): the size of ", ToString(type), " does not fit 64 bits"));
  }
  return bytes;
}

}  // namespace

Result<int64_t> OutputBytes(const Node& node, int index) {
  const ValueType& type = node.output(index)->type();
  if (node.Is("FileConstant")) {
    const auto* length = node.attrs().Get<int64_t>("length");
    if (!length || *length < 0)
      return InvalidArgument(StrCat("'", node.name(), "' (FileConstant): attribute 'length' must hold the bytes to read from the file, ",
                                    "found ", length ? StrCat(*length) : "none"));
    return *length;
  }
  if (node.Is("Const") || node.Is("Constant"))
    if (const Attr* value = node.attrs().Find("value"))
      if (const auto bytes = TextBytes(*value)) return *bytes;
  if (!type.IsTensor()) return -1;
  GE_ASSIGN_OR_RETURN(int64_t bytes, DenseBytes(node, type));
  if (std::ranges::find(kRoundedUp, node.op().name) == std::end(kRoundedUp)) return bytes;
  if (__builtin_add_overflow(bytes, kMemoryAlignment - 1, &bytes))
    return InvalidArgument(StrCat("'", node.name(), "' (", node.op().name, "): the size of ", ToString(type), " does not fit 64 bits"));
  return bytes / kMemoryAlignment * kMemoryAlignment;
}

}  // namespace ge::local
