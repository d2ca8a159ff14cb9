#pragma once
// Advanced indexing, x[i, :, j]: shapes and element offsets, shared by IndexByTensor and IndexPutV2.
#include "host_kernels/shape_util.h"

namespace ge {

struct IndexShape {
  Shape indices;        // the indices broadcast together
  Shape result;         // x[indices]
  size_t position = 0;  // where the indices' axes start in the result
};

// Inputs first, first + 1, ... of the context index the leading axes of x; an absent one keeps its axis whole. A bool
// (or u8) mask takes as many axes as it has, and its count of true elements is Unknown.
Result<IndexShape> InferIndexed(const InferContext& ctx, const ValueType& x, size_t first);

// Offsets into a dense x of the elements of x[indices], in row-major order of the result. Integer indices only.
Result<std::vector<int64_t>> IndexedOffsets(const HostKernelContext& ctx, const Tensor& x, size_t first);

// One index of an axis, negative from the end. Fails like PyTorch if it is out of range.
inline Result<int64_t> CheckedIndex(int64_t index, int64_t extent, std::string_view op) {
  if (index < -extent || index >= extent)
    return InvalidArgument(StrCat(op, ": index ", index, " is out of bounds for an axis of extent ", extent));
  return index < 0 ? index + extent : index;
}

}  // namespace ge
