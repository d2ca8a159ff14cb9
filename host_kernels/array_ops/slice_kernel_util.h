#pragma once
// Slice and SliceD: x[offsets : offsets + size], the numbers in operands or in attributes.
#include "host_kernels/shape_util.h"

namespace ge {

// A size of -1 reaches to the end of the axis. Checks what is known.
inline Result<Types> InferSlice(const ValueType& x, std::span<const Dim> offsets, std::span<const Dim> sizes, std::string_view op) {
  if (offsets.size() != x.shape().size() || sizes.size() != x.shape().size())
    return InvalidArgument(StrCat(op, ": expected ", x.rank(), " offsets and sizes, found ", static_cast<int64_t>(offsets.size()), " and ",
                                  static_cast<int64_t>(sizes.size())));
  Shape shape;
  for (size_t d = 0; d < sizes.size(); ++d) {
    const Dim extent = x.shape()[d], size = sizes[d].Is(-1) ? extent - offsets[d] : sizes[d];
    if (offsets[d].IsConst() && size.IsConst() &&
        (offsets[d].value() < 0 || size.value() < 0 || (extent.IsConst() && offsets[d].value() + size.value() > extent.value())))
      return InvalidArgument(StrCat(op, ": ", size.value(), " elements from ", offsets[d].value(), " do not lie in axis ",
                                    static_cast<int64_t>(d), " of ", ToString(x)));
    shape.push_back(size);
  }
  return Types{ValueType::Tensor(x.dtype(), std::move(shape))};
}

inline Status SliceTensor(const HostKernelContext& ctx, std::span<const int64_t> offsets) {
  const std::vector<int64_t> strides = RowStrides(Extents(ctx.inputs[0]->type()));
  int64_t offset = 0;
  for (size_t d = 0; d < strides.size(); ++d) offset += offsets[d] * strides[d];
  return CopyView(ctx, strides, offset);
}

}  // namespace ge
