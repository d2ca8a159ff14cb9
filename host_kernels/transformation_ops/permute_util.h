#pragma once
// Axis permutations: shape rule and kernel shared by Transpose, TransposeD and Permute.
#include "host_kernels/shape_util.h"

namespace ge {

// Checks that `perm` names every axis of x once (negative axes count from the end) and permutes the shape.
inline Result<Types> InferPermuted(const ValueType& x, std::span<const int64_t> perm, std::string_view op) {
  if (static_cast<int64_t>(perm.size()) != x.rank())
    return InvalidArgument(StrCat(op, ": the permutation has ", static_cast<int64_t>(perm.size()), " axes, expected ", x.rank()));
  GE_ASSIGN_OR_RETURN(const std::vector<int64_t> axes, NormalizeAxes(perm, x.rank(), op));
  Shape shape;
  for (int64_t a : axes) shape.push_back(x.shape()[static_cast<size_t>(a)]);
  return Types{ValueType::Tensor(x.dtype(), std::move(shape))};
}

inline Status PermuteTensor(const HostKernelContext& ctx, std::span<const int64_t> perm) {
  const std::vector<int64_t> in = RowStrides(Extents(ctx.inputs[0]->type()));
  std::vector<int64_t> strides;
  for (int64_t a : perm) strides.push_back(in[static_cast<size_t>(a < 0 ? a + static_cast<int64_t>(in.size()) : a)]);
  return CopyView(ctx, strides, 0);
}

}  // namespace ge
