#include "host_kernels/shape_util.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) {
  GE_ASSIGN_OR_RETURN(Shape shape, OperandDims(ctx, 1));
  const auto strides = OperandLength(ctx, 2);
  if (strides && *strides != static_cast<int64_t>(shape.size()))
    return InvalidArgument(StrCat("AsStrided: ", static_cast<int64_t>(shape.size()), " extents but ", *strides, " strides"));
  for (const Dim& d : shape)
    if (d.IsConst() && d.value() < 0) return InvalidArgument(StrCat("AsStrided: extent ", d.value(), " is negative"));
  return Types{ValueType::Tensor(ctx.input(0).dtype(), std::move(shape))};
}

struct AsStridedKernel {
  static Status Compute(const HostKernelContext& ctx) {
    // On a constant the storage is exactly the elements: everything the view reaches must lie inside.
    const std::vector<int64_t> extents = Extents(ctx.outputs[0].type()), strides = IntsOf(*ctx.inputs[2]);
    int64_t offset = 0;
    if (ctx.inputs.size() > 3 && ctx.inputs[3]) { GE_ASSIGN_OR_RETURN(offset, IntOf(*ctx.inputs[3], "AsStrided")); }
    if (strides.size() != extents.size()) return InvalidArgument("AsStrided: expected a stride for each extent");
    for (int64_t e : extents)
      if (e == 0) return {};
    int64_t last = offset, reach = 0;
    bool inside = offset >= 0;
    for (size_t i = 0; i < extents.size() && inside; ++i)
      inside =
          strides[i] >= 0 && !__builtin_mul_overflow(extents[i] - 1, strides[i], &reach) && !__builtin_add_overflow(last, reach, &last);
    if (!inside || last >= ctx.inputs[0]->num_elements())
      return InvalidArgument(StrCat("AsStrided: the view reaches beyond a storage of ", ctx.inputs[0]->num_elements(), " elements"));
    return CopyView(ctx, strides, offset);
  }
};

}  // namespace

GE_DEFINE_OP(AsStrided)
    .Doc("A view of x's storage with explicit extents, strides and offset. The strides of x itself do not matter, its storage does.")
    .Input("x")
    .Input("size", kIndexTypes)
    .Input("stride", kIndexTypes)
    .OptionalInput("storage_offset", kIndexTypes)
    .Output("y")
    .Traits(kView)
    .Infer(Infer)
    .Aten("aten::as_strided(x, #size, #stride, #storage_offset.0)");
REGISTER_COMPUTE_NODE_KERNEL(AsStrided, AsStridedKernel);

}  // namespace ge
