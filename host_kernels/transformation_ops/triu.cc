#include <cstring>

#include "host_kernels/shape_util.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) {
  if (ctx.input(0).rank() < 2) return InvalidArgument(StrCat("Triu: expected at least 2 axes, found ", ctx.input(0).rank()));
  return Types{ValueType::Tensor(ctx.input(0).dtype(), ctx.input(0).shape())};
}

struct TriuKernel {
  static Status Compute(const HostKernelContext& ctx) {
    const Tensor& x = *ctx.inputs[0];
    const std::vector<int64_t> extents = Extents(x.type());
    const int64_t rows = extents[extents.size() - 2], columns = extents.back(), diagonal = ctx.node.Int("diagonal");
    const size_t size = SizeOf(x.dtype());
    for (int64_t k = 0, n = x.num_elements(); k < n; ++k) {
      const int64_t i = k / columns % rows, j = k % columns;
      const size_t at = static_cast<size_t>(k) * size;
      if (j - i >= diagonal) std::memcpy(ctx.outputs[0].mutable_data<std::byte>() + at, x.data<std::byte>() + at, size);
    }
    return {};
  }
};

}  // namespace

GE_DEFINE_OP(Triu)
    .Doc("Matrices with zeros outside the part on and above the given diagonal (0: the main one, positive: above it).")
    .Input("x")
    .Output("y")
    .Int("diagonal", 0)
    .Infer(Infer)
    .Aten("aten::triu(x, @diagonal)");
REGISTER_COMPUTE_NODE_KERNEL(Triu, TriuKernel);

}  // namespace ge
