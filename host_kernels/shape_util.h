#pragma once
// What the array, view, index and reduction operators share: axis normalisation, shapes held by operands, and strided
// iteration for reference kernels. Data movement looks at element sizes only, so it serves every dtype.
#include <span>

#include "ge_core/base/str.h"
#include "ge_core/ir/host_kernel.h"

namespace ge {

using Types = std::vector<ValueType>;

// A negative axis counts from the end. A scalar has one imaginary axis, as in PyTorch (sum(dim=0) of a 0-d tensor).
Result<int64_t> NormalizeAxis(int64_t axis, int64_t rank, std::string_view op);
// All axes normalised, in the given order; an axis named twice is refused.
Result<std::vector<int64_t>> NormalizeAxes(std::span<const int64_t> axes, int64_t rank, std::string_view op);

// The integers of an i64 / i32 constant.
std::vector<int64_t> IntsOf(const Tensor& tensor);
// The integer of an i64 / i32 constant of one element; InvalidArgument if it has another number of elements.
Result<int64_t> IntOf(const Tensor& tensor, std::string_view op);
// Extents of a static type / row-major strides of extents / their product.
std::vector<int64_t> Extents(const ValueType& type);
std::vector<int64_t> RowStrides(std::span<const int64_t> extents);
int64_t Product(std::span<const int64_t> extents);

// An operand that stands for integers ("#port"): constant, or computed at run time on the host.
// How many integers operand i holds; nullopt if its length is not known (or it is absent).
std::optional<int64_t> OperandLength(const InferContext& ctx, int i);
// Its integers as dims: constants known, others unknown. Fails with Unimplemented if even the length is unknown.
Result<std::vector<Dim>> OperandDims(const InferContext& ctx, int i);
// The single integer of a "#port.0" operand: a one-element tensor or a sym value. nullopt if absent; Unknown if not constant.
std::optional<Dim> OperandDim(const InferContext& ctx, int i);
// Axes that must be constant: an operand whose value decides the rank.
Result<std::vector<int64_t>> ConstAxes(const InferContext& ctx, int i, int64_t rank);

// The type of operand 0, which must be a tensor: what operators that hand it on unchanged infer.
Result<ValueType> RelabelledType(const InferContext& ctx);

// Same-size check for symbolic shapes: false only if both products are known and differ.
bool MayHaveEqualSize(const Shape& a, const Shape& b);
// Broadcasts two shapes as PyTorch does. An unknown or symbolic dim meets anything; equal dims stay.
Result<Shape> BroadcastShapes(const Shape& a, const Shape& b, std::string_view op);
// The common dtype of two tensors of one or more axes (torch.promote_types). nullopt where PyTorch has none or where
// it needs rules of its own (float8 with others).
std::optional<DType> PromoteDTypes(DType a, DType b);

// The dtype a factory gives to a Python scalar: bool, i64, f32 (the default dtype), c64.
std::optional<DType> DTypeOfScalar(const Attr& scalar);

// Calls fn(offset) for every index of `extents` in row-major order, with offset = base + sum(index * stride).
template <typename Fn>
void ForEachOffset(std::span<const int64_t> extents, std::span<const int64_t> strides, int64_t base, Fn&& fn) {
  const size_t rank = extents.size();
  for (int64_t e : extents)
    if (e == 0) return;
  std::vector<int64_t> index(rank, 0);
  for (int64_t offset = base;;) {
    fn(offset);
    size_t d = rank;
    while (d-- > 0) {
      offset += strides[d];
      if (++index[d] < extents[d]) break;
      offset -= strides[d] * extents[d];
      index[d] = 0;
    }
    if (d == static_cast<size_t>(-1)) return;
  }
}

// Calls fn(index) for every multi-index of `extents` in row-major order.
template <typename Fn>
void ForEachIndex(std::span<const int64_t> extents, Fn&& fn) {
  for (int64_t e : extents)
    if (e == 0) return;
  std::vector<int64_t> index(extents.size(), 0);
  for (;;) {
    fn(std::span<const int64_t>(index));
    size_t d = extents.size();
    while (d-- > 0) {
      if (++index[d] < extents[d]) break;
      index[d] = 0;
    }
    if (d == static_cast<size_t>(-1)) return;
  }
}

// Reads a strided view into a dense buffer of `extents`; strides and offset in elements of `element_size` bytes.
void CopyFromStrided(void* dense, const void* base, size_t element_size, std::span<const int64_t> extents, std::span<const int64_t> strides,
                     int64_t offset);
// Writes a dense buffer of `extents` through a strided view.
void CopyToStrided(void* base, const void* dense, size_t element_size, std::span<const int64_t> extents, std::span<const int64_t> strides,
                   int64_t offset);

// Kernel pieces. CopyBytes: output 0 = input 0, bytes unchanged (Reshape, Squeeze, Identity, ...).
Status CopyBytes(const HostKernelContext& ctx);
// Output 0 = the strided view of input 0.
Status CopyView(const HostKernelContext& ctx, std::span<const int64_t> strides, int64_t offset);

// A tensor as (outer, axis, inner): what axis-wise kernels iterate over.
struct AxisSplit {
  int64_t outer = 1, extent = 1, inner = 1;
};
AxisSplit SplitAtAxis(std::span<const int64_t> extents, int64_t axis);

// Writes integers into an i64 or i32 output.
void StoreInts(Tensor& output, std::span<const int64_t> values);
// Writes one scalar attribute as an element of `dtype`, as c10::Scalar::to does. Fails on a value PyTorch refuses.
Status StoreScalar(const Attr& value, DType dtype, void* element, std::string_view op);
// Repeats the element at output's start over the whole output.
void SplatElement(Tensor& output, const void* element);

}  // namespace ge
