#include "host_kernels/shape_util.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) {
  const ValueType& x = ctx.input(0);
  if (ctx.ConstInts(1)) GE_RETURN_IF_ERROR(ConstAxes(ctx, 1, x.rank()).status());
  return Types{ValueType::Tensor(x.dtype(), x.shape())};
}

struct ReverseV2Kernel {
  static Status Compute(const HostKernelContext& ctx) {
    const std::vector<int64_t> extents = Extents(ctx.inputs[0]->type());
    if (ctx.inputs[0]->num_elements() == 0) return {};
    std::vector<int64_t> strides = RowStrides(extents);
    int64_t offset = 0;
    GE_ASSIGN_OR_RETURN(const std::vector<int64_t> axes,
                        NormalizeAxes(IntsOf(*ctx.inputs[1]), static_cast<int64_t>(extents.size()), "ReverseV2"));
    for (int64_t axis : axes) {
      if (extents.empty()) break;
      const size_t a = static_cast<size_t>(axis);
      offset += (extents[a] - 1) * strides[a];
      strides[a] = -strides[a];
    }
    return CopyView(ctx, strides, offset);
  }
};

}  // namespace

GE_DEFINE_OP(ReverseV2)
    .Doc("x with the order along the listed axes reversed; a copy, as torch.flip gives.")
    .Input("x")
    .Input("axis", kIndexTypes)
    .Output("y")
    .Infer(Infer)
    .Aten("aten::flip(x, #axis)");
REGISTER_COMPUTE_NODE_KERNEL(ReverseV2, ReverseV2Kernel);

}  // namespace ge
