#include <algorithm>

#include "host_kernels/shape_util.h"

namespace ge {
namespace {

// The sizes of the pieces where 'size_splits' holds one size that repeats; the last piece takes what is left.
Result<std::vector<Dim>> RepeatedSizes(const Dim& extent, const Dim& size) {
  if (!size.IsConst() || !extent.IsConst()) return Unimplemented("SplitV: the number of pieces depends on sizes that are not constant");
  if (size.value() < 0 || (size.value() == 0 && extent.value() != 0))
    return InvalidArgument(StrCat("SplitV: pieces of ", size.value(), " cannot cover an axis of extent ", extent.value()));
  std::vector<Dim> sizes;
  for (int64_t left = extent.value(); left > 0; left -= size.value()) sizes.push_back(std::min(left, size.value()));
  if (sizes.empty()) sizes.push_back(0);  // an empty axis gives one empty piece
  return sizes;
}

Result<Types> Infer(const InferContext& ctx) {
  const ValueType& x = ctx.input(0);
  if (x.rank() == 0) return InvalidArgument("SplitV: a scalar has no axis to split");
  const Dim dim = OperandDim(ctx, 2).value_or(Dim(0));
  if (!dim.IsConst()) return Unimplemented("SplitV: 'split_dim' must be constant");
  GE_ASSIGN_OR_RETURN(const int64_t axis, NormalizeAxis(dim.value(), x.rank(), "SplitV"));
  const Dim& extent = x.shape()[static_cast<size_t>(axis)];
  GE_ASSIGN_OR_RETURN(std::vector<Dim> sizes, OperandDims(ctx, 1));
  if (ctx.Bool("repeat_size")) {
    if (sizes.size() != 1) return InvalidArgument("SplitV: with repeat_size, 'size_splits' holds one size");
    GE_ASSIGN_OR_RETURN(sizes, RepeatedSizes(extent, sizes[0]));
  }
  Types types;
  Dim total = 0;
  for (const Dim& size : sizes) {
    if (size.IsConst() && size.value() < 0) return InvalidArgument(StrCat("SplitV: size ", size.value(), " is negative"));
    total = total + size;
    Shape shape = x.shape();
    shape[static_cast<size_t>(axis)] = size;
    types.push_back(ValueType::Tensor(x.dtype(), std::move(shape)));
  }
  if (CertainlyDifferent(total, extent))
    return InvalidArgument(StrCat("SplitV: sizes add up to ", total.value(), ", expected ", extent.value(), ", the extent of axis ", axis));
  return types;
}

struct SplitVKernel {
  static Status Compute(const HostKernelContext& ctx) {
    int64_t dim = 0;
    if (ctx.inputs.size() > 2 && ctx.inputs[2]) { GE_ASSIGN_OR_RETURN(dim, IntOf(*ctx.inputs[2], "SplitV")); }
    GE_ASSIGN_OR_RETURN(const int64_t axis, NormalizeAxis(dim, ctx.inputs[0]->type().rank(), "SplitV"));
    const std::vector<int64_t> strides = RowStrides(Extents(ctx.inputs[0]->type()));
    const size_t a = static_cast<size_t>(axis);
    int64_t at = 0;
    for (Tensor& out : ctx.outputs) {
      const std::vector<int64_t> extents = Extents(out.type());
      CopyFromStrided(out.mutable_data<void>(), ctx.inputs[0]->data<void>(), SizeOf(out.dtype()), extents, strides, at * strides[a]);
      at += extents[a];
    }
    return {};
  }
};

}  // namespace

GE_DEFINE_OP(SplitV)
    .Doc("x cut along split_dim (default 0) into pieces of the listed sizes, or (repeat_size) of one size that repeats. Views.")
    .Input("x")
    .Input("size_splits", kIndexTypes)
    .OptionalInput("split_dim", kIndexTypes)
    .VariadicOutput("y")
    .Int("num_split", 0)
    .Bool("repeat_size", false)
    .Traits(kView)
    .Infer(Infer)
    .Aten("aten::split_with_sizes(x, #size_splits, #split_dim.0)")
    .Aten("aten::split.Tensor(x, #size_splits.0, #split_dim.0) if repeat_size=true");
REGISTER_COMPUTE_NODE_KERNEL(SplitV, SplitVKernel);

}  // namespace ge
