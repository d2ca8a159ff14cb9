#pragma once
// Slice and SliceD: x[offsets : offsets + size], the numbers in operands or in attributes.
#include "host_kernels/shape_util.h"

namespace ge {

// Whether `size` elements from `offset` on lie in an axis, as far as its extent is known.
inline bool Inside(int64_t offset, int64_t size, const Dim& extent) {
  int64_t end;
  return offset >= 0 && size >= 0 && !__builtin_add_overflow(offset, size, &end) && (!extent.IsConst() || end <= extent.value());
}

// A size of -1 reaches to the end of the axis. Checks what is known.
inline Result<Types> InferSlice(const ValueType& x, std::span<const Dim> offsets, std::span<const Dim> sizes, std::string_view op) {
  if (offsets.size() != x.shape().size() || sizes.size() != x.shape().size())
    return InvalidArgument(StrCat(op, ": expected ", x.rank(), " offsets and sizes, found ", static_cast<int64_t>(offsets.size()), " and ",
                                  static_cast<int64_t>(sizes.size())));
  Shape shape;
  for (size_t d = 0; d < sizes.size(); ++d) {
    const Dim extent = x.shape()[d], size = sizes[d].Is(-1) ? extent - offsets[d] : sizes[d];
    if (offsets[d].IsConst() && size.IsConst() && !Inside(offsets[d].value(), size.value(), extent))
      return InvalidArgument(StrCat(op, ": ", size.value(), " elements from ", offsets[d].value(), " do not lie in axis ",
                                    static_cast<int64_t>(d), " of ", ToString(x)));
    shape.push_back(size);
  }
  return Types{ValueType::Tensor(x.dtype(), std::move(shape))};
}

inline Status SliceTensor(const HostKernelContext& ctx, std::span<const int64_t> offsets) {
  const std::vector<int64_t> strides = RowStrides(Extents(ctx.inputs[0]->type()));
  int64_t offset = 0;
  if (offsets.size() != strides.size()) return InvalidArgument(StrCat(ctx.node.op().name, ": expected an offset for each axis"));
  for (size_t d = 0; d < strides.size(); ++d) {
    // The offsets may have become known only now.
    if (!Inside(offsets[d], ctx.outputs[0].type().shape()[d].value(), ctx.inputs[0]->type().shape()[d]))
      return InvalidArgument(StrCat(ctx.node.op().name, ": offset ", offsets[d], " is out of range for axis ", static_cast<int64_t>(d)));
    offset += offsets[d] * strides[d];
  }
  return CopyView(ctx, strides, offset);
}

}  // namespace ge
