// GatherV2: rows of a tensor by index; embedding look-up.
#include <cstring>

#include "host_kernels/nn_util.h"

namespace ge {
namespace {

Result<Types> InferGatherV2(const InferContext& c) {
  GE_RETURN_IF_ERROR(nn::RequireTensors(c, 2));
  if (c.Int("batch_dims") != 0) return Unimplemented("GatherV2: batch_dims other than 0");
  const Shape &x = c.input(0).shape(), &indices = c.input(1).shape();
  int64_t axis = 0;
  if (c.has_input(2)) {
    const auto dim = OperandDim(c, 2);
    if (!dim || !dim->IsConst()) return Unimplemented("GatherV2: the axis must be a constant");
    GE_ASSIGN_OR_RETURN(axis, NormalizeAxis(dim->value(), static_cast<int64_t>(x.size()), c.op.name));
  } else if (x.size() != 2) {
    return InvalidArgument(StrCat("GatherV2: without an axis x is an embedding table of two axes, found ", ToString(c.input(0))));
  }
  if (x.empty()) return Unimplemented("GatherV2: x has no axis");
  Shape y(x.begin(), x.begin() + axis);
  y.insert(y.end(), indices.begin(), indices.end());
  y.insert(y.end(), x.begin() + axis + 1, x.end());
  return Types{ValueType::Tensor(c.input(0).dtype(), std::move(y))};
}

struct GatherV2Kernel {
  static Status Compute(const HostKernelContext& ctx) {
    const Tensor& x = *ctx.inputs[0];
    const std::vector<int64_t> extents = Extents(x.type()), indices = IntsOf(*ctx.inputs[1]);
    int64_t axis = 0;
    if (const Tensor* a = nn::In(ctx, 2)) {
      GE_ASSIGN_OR_RETURN(const int64_t given, IntOf(*a, "GatherV2"));
      GE_ASSIGN_OR_RETURN(axis, NormalizeAxis(given, x.type().rank(), "GatherV2"));
    }
    const AxisSplit split = SplitAtAxis(extents, axis);
    const bool negative = ctx.node.Bool("negative_index_support");
    const size_t row_bytes = static_cast<size_t>(split.inner) * SizeOf(x.dtype());
    std::byte* out = ctx.outputs[0].mutable_data<std::byte>();
    for (int64_t o = 0; o < split.outer; ++o) {
      for (int64_t index : indices) {
        const int64_t row = negative && index < 0 ? index + split.extent : index;
        if (row < 0 || row >= split.extent)
          return InvalidArgument(StrCat("GatherV2: index ", index, " is out of range for an axis of ", split.extent, " elements"));
        std::memcpy(out, x.data<std::byte>() + static_cast<size_t>(o * split.extent + row) * row_bytes, row_bytes);
        out += row_bytes;
      }
    }
    return {};
  }
};

}  // namespace

GE_DEFINE_OP(GatherV2)
    .Doc(
        "Slices of x along an axis, in the order and shape of indices. Without the operand axis: rows of an embedding table. padding_idx, "
        "scale_grad_by_freq and sparse are arguments of embedding that only its gradient reads.")
    .Input("x")
    .Input("indices", kIndexTypes)
    .OptionalInput("axis", kIndexTypes)
    .Output("y")
    .Int("batch_dims", 0)
    .Bool("negative_index_support", false)
    .Int("padding_idx", -1)
    .Bool("scale_grad_by_freq", false)
    .Bool("sparse", false)
    .Infer(InferGatherV2)
    .Aten("aten::embedding(x, indices, @padding_idx, @scale_grad_by_freq, @sparse)")
    .Aten("aten::index_select(x, #axis.0, indices)");
REGISTER_COMPUTE_NODE_KERNEL(GatherV2, GatherV2Kernel);

}  // namespace ge
