#include "host_kernels/array_ops/slice_util.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) {
  GE_ASSIGN_OR_RETURN(Shape shape, OperandDims(ctx, 1));
  GE_RETURN_IF_ERROR(NormalizeAxis(ctx.Int("dim"), static_cast<int64_t>(shape.size()), "SliceGrad").status());
  return Types{ValueType::Tensor(ctx.input(0).dtype(), std::move(shape))};
}

struct SliceGradKernel {
  static Status Compute(const HostKernelContext& ctx) {
    Tensor& out = ctx.outputs[0];  // zero-filled
    std::vector<int64_t> extents = Extents(out.type()), strides = RowStrides(extents);
    GE_ASSIGN_OR_RETURN(const int64_t axis, NormalizeAxis(ctx.node.Int("dim"), static_cast<int64_t>(extents.size()), "SliceGrad"));
    const size_t a = static_cast<size_t>(axis);
    GE_ASSIGN_OR_RETURN(const int64_t begin, IntOf(*ctx.inputs[2], "SliceGrad"));
    GE_ASSIGN_OR_RETURN(const int64_t end, IntOf(*ctx.inputs[3], "SliceGrad"));
    GE_ASSIGN_OR_RETURN(const int64_t step, IntOf(*ctx.inputs[4], "SliceGrad"));
    if (step < 1) return InvalidArgument(StrCat("SliceGrad: the step is ", step, "; expected 1 or more"));
    const SliceRange range = ClampSlice(extents[a], begin, end, step);
    const int64_t offset = range.begin * strides[a];
    extents[a] = range.count;
    if (range.count > 1) strides[a] *= step;  // one element has no step, which may be huge
    if (extents != Extents(ctx.inputs[0]->type()))
      return InvalidArgument(StrCat("SliceGrad: grad ", ToString(ctx.inputs[0]->type()), " does not fit"));
    CopyToStrided(out.mutable_data<void>(), ctx.inputs[0]->data<void>(), SizeOf(out.dtype()), extents, strides, offset);
    return {};
  }
};

}  // namespace

GE_DEFINE_OP(SliceGrad)
    .Doc("Zeros of shape input_sizes with grad in the slice begin:end:strides of axis dim.")
    .Input("grad")
    .Input("input_sizes", kIndexTypes)
    .Input("begin", kIndexTypes)
    .Input("end", kIndexTypes)
    .Input("strides", kIndexTypes)
    .Output("y")
    .Required("dim", AttrKind::kInt)
    .Infer(Infer)
    .Aten("aten::slice_backward(grad, #input_sizes, @dim, #begin.0, #end.0, #strides.0)");
REGISTER_COMPUTE_NODE_KERNEL(SliceGrad, SliceGradKernel);

}  // namespace ge
