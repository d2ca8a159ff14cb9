#include "host_kernels/shape_util.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) {
  const ValueType& x = ctx.input(0);
  GE_ASSIGN_OR_RETURN(Shape shape, OperandDims(ctx, 1));
  const size_t rank = x.shape().size();
  if (shape.size() < rank)
    return InvalidArgument(StrCat("BroadcastTo: 'shape' has ", static_cast<int64_t>(shape.size()), " extents, fewer than the ", x.rank(),
                                  " axes of ", ToString(x)));
  for (size_t i = 0; i < shape.size(); ++i) {
    const size_t lead = shape.size() - rank;
    if (i < lead) {
      if (shape[i].IsConst() && shape[i].value() < 0) return InvalidArgument("BroadcastTo: -1 is not allowed for a new leading axis");
      continue;
    }
    const Dim& d = x.shape()[i - lead];
    if (shape[i].Is(-1))
      shape[i] = d;  // keep
    else if (!d.Is(1) && CertainlyDifferent(d, shape[i]))
      return InvalidArgument(
          StrCat("BroadcastTo: axis ", static_cast<int64_t>(i), " of extent ", d.value(), " cannot become ", shape[i].value()));
    else if (shape[i].IsUnknown() && !d.Is(1) && d.IsConst())
      shape[i] = d;  // only an extent of 1 can grow
  }
  return Types{ValueType::Tensor(x.dtype(), std::move(shape))};
}

struct BroadcastToKernel {
  static Status Compute(const HostKernelContext& ctx) {
    const std::vector<int64_t> in = Extents(ctx.inputs[0]->type()), out = Extents(ctx.outputs[0].type()), in_strides = RowStrides(in);
    std::vector<int64_t> strides(out.size(), 0);
    for (size_t i = 0; i < in.size(); ++i)
      if (in[i] != 1) strides[out.size() - in.size() + i] = in_strides[i];
    return CopyView(ctx, strides, 0);
  }
};

}  // namespace

GE_DEFINE_OP(BroadcastTo)
    .Doc("x repeated along axes of extent 1 and along new leading axes; -1 keeps an extent. A view with strides of 0.")
    .Input("x")
    .Input("shape", kIndexTypes)
    .Output("y")
    .Traits(kView)
    .Infer(Infer)
    .Aten("aten::expand(x, #shape)");
REGISTER_COMPUTE_NODE_KERNEL(BroadcastTo, BroadcastToKernel);

}  // namespace ge
