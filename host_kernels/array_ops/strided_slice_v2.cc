#include <limits>

#include "host_kernels/array_ops/slice_util.h"

namespace ge {
namespace {

// Values of an optional integer list operand at run time.
std::vector<int64_t> ListOr(const HostKernelContext& ctx, size_t i, size_t count, int64_t otherwise) {
  return i < ctx.inputs.size() && ctx.inputs[i] ? IntsOf(*ctx.inputs[i]) : std::vector<int64_t>(count, otherwise);
}

Result<Types> Infer(const InferContext& ctx) {
  const ValueType& x = ctx.input(0);
  for (std::string_view mask : {"begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask"})
    if (ctx.Int(mask) != 0) return Unimplemented(StrCat("StridedSliceV2: attribute ", mask, " is not supported; StridedSlice has it"));
  std::vector<int64_t> axes;
  if (ctx.has_input(3)) {
    GE_ASSIGN_OR_RETURN(axes, ConstAxes(ctx, 3, x.rank()));
  } else {
    const int port = ctx.has_input(1) ? 1 : 2;
    const auto length = OperandLength(ctx, port);
    if (!length) return Unimplemented("StridedSliceV2: without 'axes', 'begin' or 'end' must be a list of known length");
    for (int64_t i = 0; i < *length; ++i) axes.push_back(i);
  }
  if (x.rank() == 0) return InvalidArgument("StridedSliceV2: a scalar has no axis to slice");
  const auto list = [&](int port) -> Result<std::vector<std::optional<Dim>>> {
    if (!ctx.has_input(port)) return std::vector<std::optional<Dim>>(axes.size());
    GE_ASSIGN_OR_RETURN(const std::vector<Dim> dims, OperandDims(ctx, port));
    if (dims.size() != axes.size())
      return InvalidArgument(StrCat("StridedSliceV2: operand '", ctx.op.inputs[static_cast<size_t>(port)].name, "' has ",
                                    static_cast<int64_t>(dims.size()), " numbers for ", static_cast<int64_t>(axes.size()), " axes"));
    return std::vector<std::optional<Dim>>(dims.begin(), dims.end());
  };
  GE_ASSIGN_OR_RETURN(const auto begin, list(1));
  GE_ASSIGN_OR_RETURN(const auto end, list(2));
  GE_ASSIGN_OR_RETURN(const auto strides, list(4));
  const int64_t shrink = ctx.Int("shrink_axis_mask");
  Shape shape = x.shape();
  std::vector<bool> dropped(shape.size(), false);
  for (size_t k = 0; k < axes.size(); ++k) {
    if (axes[k] >= x.rank()) return InvalidArgument(StrCat("StridedSliceV2: axis ", axes[k], " of a tensor with ", x.rank(), " axes"));
    if (shrink >> k & 1) {
      const Dim index = begin[k].value_or(Dim(0)), extent = shape[static_cast<size_t>(axes[k])];
      if (index.IsConst() && extent.IsConst() && (index.value() < -extent.value() || index.value() >= extent.value()))
        return InvalidArgument(
            StrCat("StridedSliceV2: index ", index.value(), " is out of range for axis ", axes[k], " of extent ", extent.value()));
      dropped[static_cast<size_t>(axes[k])] = true;
      continue;
    }
    Dim& d = shape[static_cast<size_t>(axes[k])];
    const Dim step = strides[k].value_or(Dim(1));
    if (step.IsConst() && step.value() < 1)
      return InvalidArgument(StrCat("StridedSliceV2: the step is ", step.value(), "; expected 1 or more"));
    d = step.IsConst() ? SlicedExtent(d, begin[k], end[k], step.value()) : Dim::Unknown();
  }
  Shape kept;
  for (size_t i = 0; i < shape.size(); ++i)
    if (!dropped[i]) kept.push_back(shape[i]);
  return Types{ValueType::Tensor(x.dtype(), std::move(kept))};
}

struct StridedSliceV2Kernel {
  static Status Compute(const HostKernelContext& ctx) {
    const std::vector<int64_t> in = Extents(ctx.inputs[0]->type());
    std::vector<int64_t> strides = RowStrides(in), extents = in, axes;
    const size_t count = ctx.inputs.size() > 3 && ctx.inputs[3]   ? static_cast<size_t>(ctx.inputs[3]->num_elements())
                         : ctx.inputs.size() > 1 && ctx.inputs[1] ? static_cast<size_t>(ctx.inputs[1]->num_elements())
                                                                  : static_cast<size_t>(ctx.inputs[2]->num_elements());
    axes = ListOr(ctx, 3, count, -1);
    const bool has_axes = ctx.inputs.size() > 3 && ctx.inputs[3];
    const std::vector<int64_t> begin = ListOr(ctx, 1, count, 0), end = ListOr(ctx, 2, count, std::numeric_limits<int64_t>::max()),
                               step = ListOr(ctx, 4, count, 1);
    const int64_t shrink = ctx.node.Int("shrink_axis_mask");
    std::vector<bool> dropped(in.size(), false);
    int64_t offset = 0;
    for (size_t k = 0; k < count; ++k) {
      const int64_t named = has_axes ? axes[k] : static_cast<int64_t>(k);
      const size_t a = static_cast<size_t>(named < 0 ? named + static_cast<int64_t>(in.size()) : named);
      if (shrink >> k & 1) {
        if (begin[k] < -in[a] || begin[k] >= in[a])
          return InvalidArgument(StrCat("StridedSliceV2: index ", begin[k], " is out of range for an axis of extent ", in[a]));
        offset += (begin[k] < 0 ? begin[k] + in[a] : begin[k]) * strides[a];
        dropped[a] = true;
        continue;
      }
      if (step[k] < 1) return InvalidArgument(StrCat("StridedSliceV2: the step is ", step[k], "; expected 1 or more"));
      const SliceRange range = ClampSlice(in[a], begin[k], end[k], step[k]);
      offset += range.begin * strides[a];
      if (range.count > 1) strides[a] *= step[k];  // one element has no step, which may be huge
      extents[a] = range.count;
    }
    std::vector<int64_t> kept, shape;
    for (size_t i = 0; i < strides.size(); ++i) {
      if (dropped[i]) continue;
      kept.push_back(strides[i]);
      shape.push_back(extents[i]);
    }
    if (shape != Extents(ctx.outputs[0].type()))  // the bounds may have become known only now
      return InvalidArgument(StrCat("StridedSliceV2: the slice does not have the type ", ToString(ctx.outputs[0].type())));
    return CopyView(ctx, kept, offset);
  }
};

}  // namespace

GE_DEFINE_OP(StridedSliceV2)
    .Doc(
        "x[begin:end:strides] along the listed axes, positions wrapped and clamped as in Python; an absent bound does not cut. "
        "Bit k of shrink_axis_mask: the k-th listed axis is indexed at begin (in range, not clamped) and dropped.")
    .Input("x")
    .OptionalInput("begin", kIndexTypes)
    .OptionalInput("end", kIndexTypes)
    .OptionalInput("axes", kIndexTypes)
    .OptionalInput("strides", kIndexTypes)
    .Output("y")
    .Int("begin_mask", 0)
    .Int("end_mask", 0)
    .Int("ellipsis_mask", 0)
    .Int("new_axis_mask", 0)
    .Int("shrink_axis_mask", 0)
    .Traits(kView)
    .Infer(Infer)
    .Aten("aten::slice.Tensor(x, #axes.0, #begin.0, #end.0, #strides.0)")
    .Aten("aten::select.int(x, #axes.0, #begin.0) if shrink_axis_mask=1");
REGISTER_COMPUTE_NODE_KERNEL(StridedSliceV2, StridedSliceV2Kernel);

}  // namespace ge
