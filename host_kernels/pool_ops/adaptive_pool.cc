#include "host_kernels/pool_ops/adaptive_pool.h"

namespace ge::nn {

Result<Shape> AdaptivePoolShape(const InferContext& ctx, size_t n, int size_operand) {
  GE_RETURN_IF_ERROR(RequireTensors(ctx, 1));
  const ValueType& x = ctx.input(0);
  const int64_t axes = static_cast<int64_t>(n);
  if (x.rank() != axes + 1 && x.rank() != axes + 2)
    return InvalidArgument(StrCat(ctx.op.name, ": x is ", ToString(x), ", expected ", axes + 1, " or ", axes + 2, " axes"));
  std::vector<Dim> size;
  if (size_operand >= 0 && ctx.has_input(size_operand)) {
    GE_ASSIGN_OR_RETURN(size, OperandDims(ctx, size_operand));
  } else {
    for (int64_t v : ctx.Ints("output_size")) size.push_back(v);
  }
  if (size.size() != n) return Unimplemented(StrCat(ctx.op.name, ": output_size has ", size.size(), " numbers, expected ", n));
  Shape y = x.shape();
  const size_t first = y.size() - n;
  for (size_t d = first == 2 ? 1 : 0; d < y.size(); ++d)
    if (y[d].Is(0)) return InvalidArgument(StrCat(ctx.op.name, ": x is ", ToString(x), "; only the batch may be empty"));
  for (size_t d = 0; d < n; ++d) {
    GE_RETURN_IF_ERROR(RequireOutputExtent(ctx, size[d], false));
    y[first + d] = size[d];
  }
  return y;
}

}  // namespace ge::nn
