#include "host_kernels/shape_util.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) {
  const ValueType& x = ctx.input(0);
  GE_ASSIGN_OR_RETURN(Shape shape, OperandDims(ctx, 1));
  if (shape.size() < x.shape().size())
    return InvalidArgument(
        StrCat("Tile: ", static_cast<int64_t>(shape.size()), " repetitions for ", x.rank(), " axes; expected at least one an axis"));
  const size_t lead = shape.size() - x.shape().size();
  for (size_t d = 0; d < shape.size(); ++d) {
    if (shape[d].IsConst() && shape[d].value() < 0) return InvalidArgument(StrCat("Tile: repetition ", shape[d].value(), " is negative"));
    if (d >= lead) shape[d] = shape[d] * x.shape()[d - lead];
  }
  return Types{ValueType::Tensor(x.dtype(), std::move(shape))};
}

struct TileKernel {
  static Status Compute(const HostKernelContext& ctx) {
    // Every axis of the result is (repetition, extent): a view with a stride of 0 along the first.
    const std::vector<int64_t> in = Extents(ctx.inputs[0]->type()), own = RowStrides(in), times = IntsOf(*ctx.inputs[1]);
    std::vector<int64_t> extents, strides;
    for (size_t d = 0; d < times.size(); ++d) {
      const size_t lead = times.size() - in.size();
      extents.push_back(times[d]);
      strides.push_back(0);
      if (d >= lead) extents.push_back(in[d - lead]), strides.push_back(own[d - lead]);
    }
    Tensor& out = ctx.outputs[0];
    CopyFromStrided(out.mutable_data<void>(), ctx.inputs[0]->data<void>(), SizeOf(out.dtype()), extents, strides, 0);
    return {};
  }
};

}  // namespace

GE_DEFINE_OP(Tile)
    .Doc("x repeated along its axes, and along new leading axes where there are more repetitions than axes.")
    .Input("x")
    .Input("multiples", kIndexTypes)
    .Output("y")
    .Infer(Infer)
    .Aten("aten::repeat(x, #multiples)");
REGISTER_COMPUTE_NODE_KERNEL(Tile, TileKernel);

}  // namespace ge
