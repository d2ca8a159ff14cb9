#pragma once
// What the reductions share: which axes fall, the result's shape, and loops over kept and reduced indices.
#include "host_kernels/convert.h"
#include "host_kernels/element_util.h"
#include "host_kernels/shape_util.h"

namespace ge {

// Which axes of input 0 are reduced: those that operand `port` lists; all where it is absent or an empty list.
Result<std::vector<bool>> ReduceMask(const InferContext& ctx, int port);
std::vector<bool> ReduceMask(const HostKernelContext& ctx, size_t port);
std::vector<bool> MaskOfAxes(std::span<const int64_t> axes, int64_t rank);  // normalised axes of a checked node

// The shape without the masked axes, or with extents of 1 in their place.
Shape ReducedShape(const Shape& shape, const std::vector<bool>& mask, bool keep_dims);

// PyTorch's dtype of sum and prod: the attribute dtype, else i64 for integers and bool, else the operand's.
DType SumDType(const InferContext& ctx);
// The real counterpart: of complex types the component type, else the same.
DType RealOf(DType t);

// Loops of a reduction over a dense tensor.
struct ReduceLoops {
  std::vector<int64_t> kept, kept_strides, reduced, reduced_strides;
  int64_t count = 1;  // elements that fall into one result

  // Calls fn(result index, element offset, position among the reduced) for all elements, result by result.
  template <typename Begin, typename Step, typename End>
  void Run(Begin&& begin, Step&& step, End&& end) const {
    int64_t out = 0;
    ForEachOffset(kept, kept_strides, 0, [&](int64_t base) {
      begin(out);
      ForEachOffset(reduced, reduced_strides, base, step);
      end(out++);
    });
  }
};
ReduceLoops LoopsOf(std::span<const int64_t> extents, const std::vector<bool>& mask);

// Fails with PyTorch's refusal if an axis that is reduced certainly has no elements (max, argmax have no identity).
Status RequireElements(const InferContext& ctx, const std::vector<bool>& mask);

// Order of real numbers where NaN is the greatest, as sort, max and argmax see it.
template <typename W>
bool LessNanLast(W a, W b) {
  if constexpr (std::is_floating_point_v<W>)
    return std::isnan(b) ? !std::isnan(a) : a < b;
  else
    return a < b;
}

}  // namespace ge
