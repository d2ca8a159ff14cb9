#pragma once
// What the matrix and neural-network operators share: operand checks for shape inference, sliding-window arithmetic,
// and float access for reference kernels, which compute in double and round once at the end.
#include "host_kernels/element_util.h"
#include "host_kernels/shape_util.h"

namespace ge::nn {

// Every present operand (of the first `count`, all by default) is a tensor, else Unimplemented.
Status RequireTensors(const InferContext& ctx, int count = 1 << 20);
// The present operands at `ports` have one dtype. Unimplemented otherwise: mixed-dtype rules differ from op to op in PyTorch.
Status RequireSameDType(const InferContext& ctx, std::initializer_list<int> ports);
// Operand i has exactly this rank, else Unimplemented: the other ranks of one ATen overload belong to a sibling op.
Status RequireRank(const InferContext& ctx, int i, int64_t rank);
// The two extents may be equal; InvalidArgument if they certainly are not.
Status RequireDim(const InferContext& ctx, std::string_view what, const Dim& found, const Dim& expected);
// Operand i, if present, is a vector of n elements.
Status RequireVector(const InferContext& ctx, int i, const Dim& n);
// Operand i has, rank and extents, this shape.
Status RequireShape(const InferContext& ctx, int i, const Shape& shape);

// The attribute as n integers, one a spatial axis: ATen's form. One number stands for all axes; an empty list is `empty`.
Result<std::vector<int64_t>> SpatialInts(const InferContext& ctx, std::string_view attr, size_t n, const std::vector<int64_t>& empty = {});
std::vector<int64_t> SpatialInts(const Node& node, std::string_view attr, size_t n, const std::vector<int64_t>& empty = {});

// The bools of an output_mask attribute (a list of n bools). InvalidArgument if it is not one.
Result<std::vector<bool>> MaskOf(const InferContext& ctx, std::string_view attr, size_t n);

// Output extent of a sliding window: floor((in + 2*pad - dilation*(kernel-1) - 1) / stride) + 1.
Dim WindowOutput(const Dim& in, const Dim& kernel, int64_t stride, int64_t pad, int64_t dilation);
// The same for pooling, where ceil_mode rounds up but drops a window that would start in the right padding.
// Unknown for a symbolic extent in ceil mode unless the stride is 1.
Dim PoolOutput(const Dim& in, int64_t kernel, int64_t stride, int64_t pad, int64_t dilation, bool ceil_mode);
// InvalidArgument if a computed output extent is certainly negative or, with `positive`, zero.
Status RequireOutputExtent(const InferContext& ctx, const Dim& extent, bool positive);

// The window attributes of a pooling op over its last n axes, checked as PyTorch checks them.
struct Window {
  std::vector<int64_t> kernel, stride, pad, dilation;
  bool ceil_mode = false;
};
Result<Window> WindowOf(const InferContext& ctx, size_t n, bool has_dilation);
Window WindowOf(const Node& node, size_t n, bool has_dilation);
// The shape after pooling the last n axes of input 0.
Result<Shape> PooledShape(const InferContext& ctx, const Window& window);

// Input i of a kernel, or null if it is absent.
inline const Tensor* In(const HostKernelContext& ctx, size_t i) { return i < ctx.inputs.size() ? ctx.inputs[i] : nullptr; }

// All elements of a float tensor as doubles; empty for null.
Result<std::vector<double>> ReadFloats(const Tensor* tensor, std::string_view op);
// Rounds `values` into a float tensor of as many elements.
Status WriteFloats(Tensor& tensor, std::span<const double> values, std::string_view op);

}  // namespace ge::nn
