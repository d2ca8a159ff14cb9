#include "host_kernels/shape_util.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) {
  const ValueType& x = ctx.input(0);
  const int64_t size = ctx.Int("size"), step = ctx.Int("step");
  if (x.rank() == 0) return Unimplemented("Unfold: a scalar");
  GE_ASSIGN_OR_RETURN(const int64_t axis, NormalizeAxis(ctx.Int("dimension"), x.rank(), "Unfold"));
  Shape shape = x.shape();
  Dim& d = shape[static_cast<size_t>(axis)];
  if (size < 0 || step < 1) return InvalidArgument(StrCat("Unfold: size ", size, " and step ", step, "; expected at least 0 and 1"));
  if (d.IsConst() && size > d.value())
    return InvalidArgument(StrCat("Unfold: size ", size, " exceeds ", d.value(), ", the extent of axis ", axis));
  d = Dim::FloorDiv(d - Dim(size), step) + Dim(1);
  shape.push_back(size);
  return Types{ValueType::Tensor(x.dtype(), std::move(shape))};
}

struct UnfoldKernel {
  static Status Compute(const HostKernelContext& ctx) {
    std::vector<int64_t> strides = RowStrides(Extents(ctx.inputs[0]->type()));
    GE_ASSIGN_OR_RETURN(const int64_t axis, NormalizeAxis(ctx.node.Int("dimension"), static_cast<int64_t>(strides.size()), "Unfold"));
    const int64_t stride = strides[static_cast<size_t>(axis)];
    strides[static_cast<size_t>(axis)] = stride * ctx.node.Int("step");
    strides.push_back(stride);
    return CopyView(ctx, strides, 0);
  }
};

}  // namespace

GE_DEFINE_OP(Unfold)
    .Doc("All windows of the given size along an axis, step apart; the window is a new last axis. A view.")
    .Input("x")
    .Output("y")
    .Required("dimension", AttrKind::kInt)
    .Required("size", AttrKind::kInt)
    .Required("step", AttrKind::kInt)
    .Traits(kView)
    .Infer(Infer)
    .Aten("aten::unfold(x, @dimension, @size, @step)");
REGISTER_COMPUTE_NODE_KERNEL(Unfold, UnfoldKernel);

}  // namespace ge
