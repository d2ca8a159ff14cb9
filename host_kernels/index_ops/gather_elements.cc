#include <cstring>

#include "host_kernels/index_ops/index_util.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) {
  const ValueType &x = ctx.input(0), &index = ctx.input(1);
  GE_ASSIGN_OR_RETURN(const int64_t axis, NormalizeAxis(ctx.Int("dim"), x.rank(), "GatherElements"));
  if (x.rank() != index.rank()) {
    // A scalar counts as one element along one axis; an empty index gives an empty result whatever its rank.
    if (x.rank() <= 1 && index.rank() <= 1) return Types{ValueType::Tensor(x.dtype(), index.shape())};
    return Unimplemented(StrCat("GatherElements: index ", ToString(index), " and operand ", ToString(x), " differ in rank"));
  }
  for (int64_t d = 0; d < x.rank(); ++d) {
    const Dim &i = index.shape()[static_cast<size_t>(d)], &e = x.shape()[static_cast<size_t>(d)];
    if (d != axis && i.IsConst() && e.IsConst() && i.value() > e.value() && !index.NumElements().Is(0))
      return InvalidArgument(
          StrCat("GatherElements: index extent ", i.value(), " exceeds ", e.value(), " at axis ", d, ", which is not the gathered one"));
  }
  return Types{ValueType::Tensor(x.dtype(), index.shape())};
}

struct GatherElementsKernel {
  static Status Compute(const HostKernelContext& ctx) {
    const Tensor& x = *ctx.inputs[0];
    const std::vector<int64_t> index = IntsOf(*ctx.inputs[1]), extents = Extents(x.type()), strides = RowStrides(extents);
    GE_ASSIGN_OR_RETURN(const int64_t axis, NormalizeAxis(ctx.node.Int("dim"), static_cast<int64_t>(extents.size()), "GatherElements"));
    const size_t a = static_cast<size_t>(axis), size = SizeOf(x.dtype());
    const int64_t extent = extents.empty() ? 1 : extents[a], stride = extents.empty() ? 0 : strides[a];
    std::byte* p = ctx.outputs[0].mutable_data<std::byte>();
    size_t k = 0;
    Status status;
    ForEachIndex(Extents(ctx.inputs[1]->type()), [&](std::span<const int64_t> at) {
      const int64_t i = index[k++];
      if (i < 0 || i >= extent) {  // gather does not take negative indices
        if (status.ok()) status = InvalidArgument(StrCat("GatherElements: index ", i, " is out of bounds for an axis of extent ", extent));
        return;
      }
      int64_t offset = i * stride;
      for (size_t d = 0; d < extents.size(); ++d)
        if (d != a) offset += at[d] * strides[d];
      std::memcpy(p, x.data<std::byte>() + static_cast<size_t>(offset) * size, size);
      p += size;
    });
    return status;
  }
};

}  // namespace

GE_DEFINE_OP(GatherElements)
    .Doc("y[.., i, ..] = x[.., index[.., i, ..], ..] along axis dim.")
    .Input("x")
    .Input("index", kIndexTypes)
    .Output("y")
    .Int("dim", 0)
    .Bool("sparse_grad", false)
    .Infer(Infer)
    .Aten("aten::gather(x, @dim, index, @sparse_grad)");
REGISTER_COMPUTE_NODE_KERNEL(GatherElements, GatherElementsKernel);

}  // namespace ge
