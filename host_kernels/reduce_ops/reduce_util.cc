#include "host_kernels/reduce_ops/reduce_util.h"

namespace ge {

std::vector<bool> MaskOfAxes(std::span<const int64_t> axes, int64_t rank) {
  std::vector<bool> mask(static_cast<size_t>(rank), axes.empty());
  for (int64_t a : axes)
    if (rank > 0) mask[static_cast<size_t>(a < 0 ? a + rank : a)] = true;
  return mask;
}

Result<std::vector<bool>> ReduceMask(const InferContext& ctx, int port) {
  const int64_t rank = ctx.input(0).rank();
  if (!ctx.has_input(port)) return std::vector<bool>(static_cast<size_t>(rank), true);
  GE_ASSIGN_OR_RETURN(const std::vector<int64_t> axes, ConstAxes(ctx, port, rank));
  return MaskOfAxes(axes, rank);
}

std::vector<bool> ReduceMask(const HostKernelContext& ctx, size_t port) {
  const int64_t rank = ctx.inputs[0]->type().rank();
  if (port >= ctx.inputs.size() || !ctx.inputs[port]) return std::vector<bool>(static_cast<size_t>(rank), true);
  return MaskOfAxes(IntsOf(*ctx.inputs[port]), rank);
}

Shape ReducedShape(const Shape& shape, const std::vector<bool>& mask, bool keep_dims) {
  Shape out;
  for (size_t d = 0; d < shape.size(); ++d) {
    if (!mask[d])
      out.push_back(shape[d]);
    else if (keep_dims)
      out.push_back(Dim(1));
  }
  return out;
}

DType SumDType(const InferContext& ctx) {
  const Attr a = ctx.attr("dtype");
  if (const DType* t = a.Get<DType>()) return *t;
  const DType x = ctx.input(0).dtype();
  return IsIntegral(x) || x == DType::kBool ? DType::kI64 : x;
}

DType RealOf(DType t) {
  switch (t) {
    case DType::kC32: return DType::kF16;
    case DType::kC64: return DType::kF32;
    case DType::kC128: return DType::kF64;
    default: return t;
  }
}

ReduceLoops LoopsOf(std::span<const int64_t> extents, const std::vector<bool>& mask) {
  ReduceLoops loops;
  const std::vector<int64_t> strides = RowStrides(extents);
  for (size_t d = 0; d < extents.size(); ++d) {
    (mask[d] ? loops.reduced : loops.kept).push_back(extents[d]);
    (mask[d] ? loops.reduced_strides : loops.kept_strides).push_back(strides[d]);
    if (mask[d]) loops.count *= extents[d];
  }
  return loops;
}

Status RequireElements(const InferContext& ctx, const std::vector<bool>& mask) {
  const Shape& shape = ctx.input(0).shape();
  for (size_t d = 0; d < shape.size(); ++d)
    if (mask[d] && shape[d].Is(0))
      return InvalidArgument(StrCat(ctx.op.name, ": axis ", static_cast<int64_t>(d), " has no elements and the reduction has no identity"));
  return {};
}

}  // namespace ge
