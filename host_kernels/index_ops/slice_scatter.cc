#include "host_kernels/array_ops/slice_util.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) {
  const ValueType &x = ctx.input(0), &src = ctx.input(1);
  if (x.dtype() != src.dtype()) return Unimplemented(StrCat("SliceScatter: source of ", Name(src.dtype()), " into ", Name(x.dtype())));
  if (x.rank() == 0 || x.rank() != src.rank()) return Unimplemented("SliceScatter: operand and source differ in rank");
  GE_RETURN_IF_ERROR(NormalizeAxis(ctx.Int("dim"), x.rank(), "SliceScatter").status());
  return Types{ValueType::Tensor(x.dtype(), x.shape())};
}

struct SliceScatterKernel {
  static Status Compute(const HostKernelContext& ctx) {
    GE_RETURN_IF_ERROR(CopyBytes(ctx));
    Tensor& out = ctx.outputs[0];
    const Tensor& src = *ctx.inputs[1];
    const std::vector<int64_t> extents = Extents(out.type());
    std::vector<int64_t> strides = RowStrides(extents);
    GE_ASSIGN_OR_RETURN(const int64_t axis, NormalizeAxis(ctx.node.Int("dim"), static_cast<int64_t>(extents.size()), "SliceScatter"));
    const size_t a = static_cast<size_t>(axis);
    std::optional<int64_t> bound[3];  // begin, end, step
    for (size_t i = 0; i < 3; ++i)
      if (i + 2 < ctx.inputs.size() && ctx.inputs[i + 2]) { GE_ASSIGN_OR_RETURN(bound[i], IntOf(*ctx.inputs[i + 2], "SliceScatter")); }
    const int64_t step = bound[2].value_or(1);
    if (step < 1) return InvalidArgument(StrCat("SliceScatter: the step is ", step, "; expected 1 or more"));
    const SliceRange range = ClampSlice(extents[a], bound[0], bound[1], step);
    std::vector<int64_t> part = extents;
    part[a] = range.count;
    if (part != Extents(src.type()))
      return InvalidArgument(StrCat("SliceScatter: source ", ToString(src.type()), " does not fit the slice"));
    const int64_t offset = range.begin * strides[a];
    if (range.count > 1) strides[a] *= step;  // one element has no step, which may be huge
    CopyToStrided(out.mutable_data<void>(), src.data<void>(), SizeOf(out.dtype()), part, strides, offset);
    return {};
  }
};

}  // namespace

// TorchAir expands this into Range and ScatterElements; one node lets a re-inplacing pass see the write.
GE_DEFINE_OP(SliceScatter)
    .Doc("x with x[begin:end:strides] along axis dim replaced by src; positions as in StridedSliceV2.")
    .Input("x")
    .Input("src")
    .OptionalInput("begin", kIndexTypes)
    .OptionalInput("end", kIndexTypes)
    .OptionalInput("strides", kIndexTypes)
    .Output("y")
    .Int("dim", 0)
    .Infer(Infer)
    .Aten("aten::slice_scatter(x, src, @dim, #begin.0, #end.0, #strides.0)")
    .Aten("aten::slice_scatter(x, src, @dim, #begin.0, #end.0)");
REGISTER_COMPUTE_NODE_KERNEL(SliceScatter, SliceScatterKernel);

}  // namespace ge
