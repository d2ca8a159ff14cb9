#include "host_kernels/index_ops/index_util.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) {
  const ValueType &x = ctx.input(0), &src = ctx.input(1);
  if (x.dtype() != src.dtype()) return Unimplemented(StrCat("SelectScatter: source of ", Name(src.dtype()), " into ", Name(x.dtype())));
  if (x.rank() == 0 || x.rank() != src.rank() + 1)
    return Unimplemented("SelectScatter: the source must have one axis less than the operand");
  GE_RETURN_IF_ERROR(NormalizeAxis(ctx.Int("dim"), x.rank(), "SelectScatter").status());
  return Types{ValueType::Tensor(x.dtype(), x.shape())};
}

struct SelectScatterKernel {
  static Status Compute(const HostKernelContext& ctx) {
    GE_RETURN_IF_ERROR(CopyBytes(ctx));
    Tensor& out = ctx.outputs[0];
    std::vector<int64_t> extents = Extents(out.type()), strides = RowStrides(extents);
    GE_ASSIGN_OR_RETURN(const int64_t axis, NormalizeAxis(ctx.node.Int("dim"), static_cast<int64_t>(extents.size()), "SelectScatter"));
    GE_ASSIGN_OR_RETURN(const int64_t given, IntOf(*ctx.inputs[2], "SelectScatter"));
    GE_ASSIGN_OR_RETURN(const int64_t index, CheckedIndex(given, extents[static_cast<size_t>(axis)], "SelectScatter"));
    const int64_t offset = index * strides[static_cast<size_t>(axis)];
    extents.erase(extents.begin() + axis);
    strides.erase(strides.begin() + axis);
    if (extents != Extents(ctx.inputs[1]->type()))
      return InvalidArgument(StrCat("SelectScatter: source ", ToString(ctx.inputs[1]->type()), " does not fit the position"));
    CopyToStrided(out.mutable_data<void>(), ctx.inputs[1]->data<void>(), SizeOf(out.dtype()), extents, strides, offset);
    return {};
  }
};

}  // namespace

GE_DEFINE_OP(SelectScatter)
    .Doc("x with x[..., index, ...] at axis dim replaced by src.")
    .Input("x")
    .Input("src")
    .Input("index", kIndexTypes)
    .Output("y")
    .Required("dim", AttrKind::kInt)
    .Infer(Infer)
    .Aten("aten::select_scatter(x, src, @dim, #index.0)");
REGISTER_COMPUTE_NODE_KERNEL(SelectScatter, SelectScatterKernel);

}  // namespace ge
