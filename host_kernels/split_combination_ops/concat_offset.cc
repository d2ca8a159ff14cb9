#include "host_kernels/shape_util.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) {
  const auto length = OperandLength(ctx, 0);
  if (length && *length != 1) return InvalidArgument("ConcatOffset: concat_dim must be one integer");
  Types types;
  for (size_t i = 1; i < ctx.inputs.size(); ++i) {
    if (ctx.inputs[i]->rank() != 1) return InvalidArgument("ConcatOffset: expected shapes as vectors");
    types.push_back(ValueType::Tensor(ctx.inputs[i]->dtype(), ctx.inputs[i]->shape()));
  }
  return types;
}

struct ConcatOffsetKernel {
  static Status Compute(const HostKernelContext& ctx) {
    const std::vector<int64_t> dim = IntsOf(*ctx.inputs[0]);
    if (dim.size() != 1) return InvalidArgument("ConcatOffset: concat_dim must be one integer");
    std::vector<int64_t> first;
    int64_t at = 0;
    for (size_t k = 0; k < ctx.outputs.size(); ++k) {
      std::vector<int64_t> shape = IntsOf(*ctx.inputs[k + 1]);
      if (shape.empty()) return InvalidArgument("ConcatOffset: a scalar cannot be concatenated");
      GE_ASSIGN_OR_RETURN(const int64_t axis, NormalizeAxis(dim[0], static_cast<int64_t>(shape.size()), "ConcatOffset"));
      const size_t a = static_cast<size_t>(axis);
      std::vector<int64_t> offset(shape.size(), 0);
      offset[a] = at;
      StoreInts(ctx.outputs[k], offset);
      if (shape[a] < 0 || __builtin_add_overflow(at, shape[a], &at)) return InvalidArgument("ConcatOffset: the extents are out of range");
      shape[a] = 0;
      if (k == 0) first = shape;
      if (shape != first) return InvalidArgument(StrCat("ConcatOffset: shapes 0 and ", k, " differ at another axis than ", axis));
    }
    return {};
  }
};

}  // namespace

GE_DEFINE_OP(ConcatOffset)
    .Doc("Where each of several tensors, given by their shapes, starts when they are joined along concat_dim.")
    .Input("concat_dim", kIndexTypes)
    .VariadicInput("x", kIndexTypes)
    .VariadicOutput("y", kIndexTypes)
    .Int("N", 0)
    .Infer(Infer);
REGISTER_COMPUTE_NODE_KERNEL(ConcatOffset, ConcatOffsetKernel);

}  // namespace ge
