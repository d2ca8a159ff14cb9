#include <algorithm>
#include <cstring>
#include <limits>

#include "host_kernels/shape_util.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) {
  const size_t n = ctx.inputs.size() / 2;
  if (n < 1 || ctx.inputs.size() % 2 != 0 || ctx.Int("N") != static_cast<int64_t>(n))
    return InvalidArgument(StrCat("DynamicStitch: N is ", ctx.Int("N"), "; expected as many indices and as many tensors"));
  Shape shape{Dim::Unknown()};
  int64_t last = -1;
  bool known = true;
  for (size_t k = 0; k < n; ++k) {
    const ValueType &index = ctx.input(static_cast<int>(k)), &x = ctx.input(static_cast<int>(n + k));
    if (!kIndexTypes.Has(index.dtype())) return InvalidArgument("DynamicStitch: indices must be i32 or i64");
    if (x.dtype() != ctx.input(static_cast<int>(n)).dtype() || x.rank() < index.rank())
      return InvalidArgument("DynamicStitch: the tensors do not fit their indices");
    if (k == 0) shape.insert(shape.end(), x.shape().begin() + index.rank(), x.shape().end());
    // One row of x for each index, all rows of one shape.
    bool fits = static_cast<size_t>(x.rank() - index.rank()) + 1 == shape.size();
    for (int64_t d = 0; fits && d < x.rank(); ++d) {
      const Dim& want = d < index.rank() ? index.shape()[static_cast<size_t>(d)] : shape[static_cast<size_t>(d - index.rank()) + 1];
      fits = !CertainlyDifferent(x.shape()[static_cast<size_t>(d)], want);
    }
    if (!fits) return InvalidArgument(StrCat("DynamicStitch: ", ToString(x), " does not hold one row for each index of ", ToString(index)));
    if (const auto ints = ctx.ConstInts(static_cast<int>(k))) {
      for (int64_t i : *ints) {
        if (i < 0 || i == std::numeric_limits<int64_t>::max())
          return InvalidArgument(StrCat("DynamicStitch: index ", i, " is out of range"));
        last = std::max(last, i);
      }
    } else {
      known = false;
    }
  }
  if (known) shape[0] = last + 1;
  return Types{ValueType::Tensor(ctx.input(static_cast<int>(n)).dtype(), std::move(shape))};
}

struct DynamicStitchKernel {
  static Status Compute(const HostKernelContext& ctx) {
    Tensor& out = ctx.outputs[0];
    const size_t n = ctx.inputs.size() / 2;
    const int64_t rows = out.type().shape()[0].value();
    if (rows == 0) return {};
    const size_t row = out.bytes().size() / static_cast<size_t>(rows);
    for (size_t k = 0; k < n; ++k) {  // a position named twice: the later one wins
      const std::byte* from = ctx.inputs[n + k]->data<std::byte>();
      const std::vector<int64_t> indices = IntsOf(*ctx.inputs[k]);
      if (ctx.inputs[n + k]->bytes().size() != indices.size() * row)
        return InvalidArgument(StrCat("DynamicStitch: ", ToString(ctx.inputs[n + k]->type()), " does not hold one row for each of ",
                                      indices.size(), " indices"));
      for (int64_t i : indices) {
        if (i < 0 || i >= rows) return InvalidArgument(StrCat("DynamicStitch: index ", i, " is out of range for ", rows, " rows"));
        std::memcpy(out.mutable_data<std::byte>() + static_cast<size_t>(i) * row, from, row);
        from += row;
      }
    }
    return {};
  }
};

}  // namespace

// AscendIR lists all indices, then all tensors; a single list of operands holds both here, N telling where it is cut.
GE_DEFINE_OP(DynamicStitch)
    .Doc("Rows of N tensors put at the places that N index tensors name: operands are the N indices, then the N tensors.")
    .VariadicInput("x")
    .Output("y")
    .Int("N", 1)
    .Infer(Infer);
REGISTER_COMPUTE_NODE_KERNEL(DynamicStitch, DynamicStitchKernel);

}  // namespace ge
