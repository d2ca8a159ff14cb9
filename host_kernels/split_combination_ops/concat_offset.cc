#include "host_kernels/shape_util.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) {
  Types types;
  for (size_t i = 1; i < ctx.inputs.size(); ++i) {
    if (ctx.inputs[i]->rank() != 1) return InvalidArgument("ConcatOffset: expected shapes as vectors");
    types.push_back(ValueType::Tensor(ctx.inputs[i]->dtype(), ctx.inputs[i]->shape()));
  }
  return types;
}

struct ConcatOffsetKernel {
  static Status Compute(const HostKernelContext& ctx) {
    const int64_t dim = IntsOf(*ctx.inputs[0]).at(0);
    int64_t at = 0;
    for (size_t k = 0; k < ctx.outputs.size(); ++k) {
      const std::vector<int64_t> shape = IntsOf(*ctx.inputs[k + 1]);
      GE_ASSIGN_OR_RETURN(const int64_t axis, NormalizeAxis(dim, static_cast<int64_t>(shape.size()), "ConcatOffset"));
      if (shape.empty()) return InvalidArgument("ConcatOffset: a scalar cannot be concatenated");
      std::vector<int64_t> offset(shape.size(), 0);
      offset[static_cast<size_t>(axis)] = at;
      at += shape[static_cast<size_t>(axis)];
      StoreInts(ctx.outputs[k], offset);
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
