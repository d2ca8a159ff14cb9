#include <cstring>

#include "host_kernels/shape_util.h"

namespace ge {
namespace {

// Shift an axis: attribute shifts (one number or a list) goes with dims; without dims the flattened tensor rolls.
Result<std::vector<int64_t>> ShiftsOf(const std::vector<int64_t>& shifts, const std::vector<int64_t>& dims, int64_t rank) {
  std::vector<int64_t> by_axis(static_cast<size_t>(rank), 0);
  if (dims.size() != shifts.size())
    return InvalidArgument(
        StrCat("Roll: ", static_cast<int64_t>(shifts.size()), " shifts for ", static_cast<int64_t>(dims.size()), " axes"));
  for (size_t k = 0; k < dims.size(); ++k) {
    GE_ASSIGN_OR_RETURN(const int64_t axis, NormalizeAxis(dims[k], rank, "Roll"));
    if (rank > 0) by_axis[static_cast<size_t>(axis)] += shifts[k];
  }
  return by_axis;
}

Result<Types> Infer(const InferContext& ctx) {
  const ValueType& x = ctx.input(0);
  const std::vector<int64_t> shifts = ctx.Ints("shifts"), dims = ctx.Ints("dims");
  if (dims.empty() && shifts.size() != 1) return InvalidArgument("Roll: without dims exactly one shift is expected");
  if (!dims.empty()) GE_RETURN_IF_ERROR(ShiftsOf(shifts, dims, x.rank()).status());
  return Types{ValueType::Tensor(x.dtype(), x.shape())};
}

struct RollKernel {
  static Status Compute(const HostKernelContext& ctx) {
    const Tensor& x = *ctx.inputs[0];
    const int64_t n = x.num_elements();
    if (n == 0) return {};
    std::vector<int64_t> extents = Extents(x.type()), shifts = ctx.node.Ints("shifts");
    const std::vector<int64_t> dims = ctx.node.Ints("dims");
    if (dims.empty())
      extents = {n};
    else { GE_ASSIGN_OR_RETURN(shifts, ShiftsOf(shifts, dims, static_cast<int64_t>(extents.size()))); }
    const std::vector<int64_t> strides = RowStrides(extents);
    const size_t size = SizeOf(x.dtype());
    const std::byte* from = x.data<std::byte>();
    ForEachIndex(extents, [&](std::span<const int64_t> index) {
      int64_t to = 0;
      for (size_t d = 0; d < extents.size(); ++d) {
        const int64_t i = (index[d] + shifts[d] % extents[d] + extents[d]) % extents[d];
        to += i * strides[d];
      }
      std::memcpy(ctx.outputs[0].mutable_data<std::byte>() + static_cast<size_t>(to) * size, from, size);
      from += size;
    });
    return {};
  }
};

}  // namespace

GE_DEFINE_OP(Roll)
    .Doc("x with its elements shifted along the listed axes, those pushed out at one end coming back at the other.")
    .Input("x")
    .Output("y")
    .Required("shifts", AttrKind::kInts)
    .Optional("dims", AttrKind::kInts)
    .Infer(Infer)
    .Aten("aten::roll(x, @shifts, @dims)");
REGISTER_COMPUTE_NODE_KERNEL(Roll, RollKernel);

}  // namespace ge
