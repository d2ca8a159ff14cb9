#include "host_kernels/index_ops/index_util.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) {
  GE_ASSIGN_OR_RETURN(Shape shape, OperandDims(ctx, 1));
  GE_RETURN_IF_ERROR(NormalizeAxis(ctx.Int("dim"), static_cast<int64_t>(shape.size()), "SelectGrad").status());
  return Types{ValueType::Tensor(ctx.input(0).dtype(), std::move(shape))};
}

struct SelectGradKernel {
  static Status Compute(const HostKernelContext& ctx) {
    Tensor& out = ctx.outputs[0];  // zero-filled
    std::vector<int64_t> extents = Extents(out.type()), strides = RowStrides(extents);
    GE_ASSIGN_OR_RETURN(const int64_t axis, NormalizeAxis(ctx.node.Int("dim"), static_cast<int64_t>(extents.size()), "SelectGrad"));
    const size_t a = static_cast<size_t>(axis);
    GE_ASSIGN_OR_RETURN(const int64_t given, IntOf(*ctx.inputs[2], "SelectGrad"));
    GE_ASSIGN_OR_RETURN(const int64_t index, CheckedIndex(given, extents[a], "SelectGrad"));
    const int64_t offset = index * strides[a];
    extents.erase(extents.begin() + axis);
    strides.erase(strides.begin() + axis);
    if (extents != Extents(ctx.inputs[0]->type()))
      return InvalidArgument(StrCat("SelectGrad: grad ", ToString(ctx.inputs[0]->type()), " does not fit"));
    CopyToStrided(out.mutable_data<void>(), ctx.inputs[0]->data<void>(), SizeOf(out.dtype()), extents, strides, offset);
    return {};
  }
};

}  // namespace

GE_DEFINE_OP(SelectGrad)
    .Doc("Zeros of shape input_sizes with grad at position index of axis dim.")
    .Input("grad")
    .Input("input_sizes", kIndexTypes)
    .Input("index", kIndexTypes)
    .Output("y")
    .Required("dim", AttrKind::kInt)
    .Infer(Infer)
    .Aten("aten::select_backward(grad, #input_sizes, @dim, #index.0)");
REGISTER_COMPUTE_NODE_KERNEL(SelectGrad, SelectGradKernel);

}  // namespace ge
