#pragma once
// Slicing one axis with PyTorch's rules: negative positions count from the end, then both are clamped into the axis.
#include <algorithm>

#include "host_kernels/shape_util.h"

namespace ge {

struct SliceRange {
  int64_t begin = 0, count = 0;
};

// `begin` / `end` absent: the whole axis. step >= 1.
inline SliceRange ClampSlice(int64_t extent, std::optional<int64_t> begin, std::optional<int64_t> end, int64_t step) {
  int64_t b = begin.value_or(0), e = end.value_or(extent);
  if (b < 0) b += extent;
  if (e < 0) e += extent;
  b = std::clamp<int64_t>(b, 0, extent);
  e = std::clamp<int64_t>(e, b, extent);
  return {b, (e - b) / step + ((e - b) % step != 0)};
}

// The extent of a slice of a possibly symbolic axis. Unknown where it depends on values that are not known.
// Bounds are the operands' values: absent, a number, a symbolic expression or Unknown.
Dim SlicedExtent(const Dim& extent, const std::optional<Dim>& begin, const std::optional<Dim>& end, int64_t step);

}  // namespace ge
