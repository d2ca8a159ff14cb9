#include "host_kernels/norm_ops/norm_util.h"

#include <cmath>

namespace ge::nn {

Status RequireNormOperands(const InferContext& ctx) {
  for (int i = 0; i < static_cast<int>(ctx.inputs.size()); ++i) {
    if (!ctx.has_input(i)) continue;
    if (kI64Type.bits == ctx.op.inputs[static_cast<size_t>(i)].types.bits) continue;  // shape-like operands, host integers too
    if (!ctx.input(i).IsTensor())
      return Unimplemented(StrCat(ctx.op.name, ": input ", i, " is no dense tensor but ", ToString(ctx.input(i))));
    GE_RETURN_IF_ERROR(RequireSameDType(ctx, {0, i}));
  }
  return {};
}

Moments MomentsOf(const double* x, int64_t count, double epsilon) {
  Moments m;
  for (int64_t i = 0; i < count; ++i) m.mean += x[i];
  m.mean /= static_cast<double>(count);
  double variance = 0;
  for (int64_t i = 0; i < count; ++i) variance += (x[i] - m.mean) * (x[i] - m.mean);
  m.rstd = 1 / std::sqrt(variance / static_cast<double>(count) + epsilon);
  return m;
}

}  // namespace ge::nn
