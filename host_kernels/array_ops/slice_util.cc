#include "host_kernels/array_ops/slice_util.h"

#include <limits>

namespace ge {

Dim SlicedExtent(const Dim& extent, const std::optional<Dim>& begin, const std::optional<Dim>& end, int64_t step) {
  const auto number = [](const std::optional<Dim>& d) { return !d || d->IsConst(); };
  const auto value = [](const std::optional<Dim>& d) { return d ? std::optional<int64_t>(d->value()) : std::nullopt; };
  if (extent.IsConst() && number(begin) && number(end)) return ClampSlice(extent.value(), value(begin), value(end), step).count;
  const auto divide = [&](const Dim& length) { return step == 1 ? length : Dim::FloorDiv(length + Dim(step - 1), Dim(step)); };
  // The whole axis: no bound cuts it. INT64_MAX is how "to the end" is written.
  const bool to_end = !end || end->Is(std::numeric_limits<int64_t>::max()) || *end == extent;
  const bool from_start = !begin || begin->Is(0);
  if (extent.IsUnknown()) return from_start && to_end && step == 1 ? extent : Dim::Unknown();
  if (from_start && to_end) return divide(extent);
  // A symbolic axis cut at numbers: PyTorch's guards decide on which side of the clamp it falls, inference cannot.
  return Dim::Unknown();
}

}  // namespace ge
