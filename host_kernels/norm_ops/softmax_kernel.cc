#include "host_kernels/norm_ops/softmax_kernel.h"

#include <cmath>
#include <limits>

namespace ge::nn {

Result<Types> InferSoftmax(const InferContext& ctx, int operand) {
  GE_RETURN_IF_ERROR(RequireTensors(ctx));
  const ValueType& x = ctx.input(operand);
  GE_RETURN_IF_ERROR(NormalizeAxis(ctx.Int("axis"), x.rank(), ctx.op.name).status());
  return Types{ValueType::Tensor(x.dtype(), x.shape())};
}

Status ReferenceSoftmax(const HostKernelContext& ctx, SoftmaxKind kind) {
  const std::string_view name = ctx.node.op().name;
  GE_ASSIGN_OR_RETURN(const std::vector<double> x, ReadFloats(ctx.inputs[0], name));
  const std::vector<int64_t> extents = Extents(ctx.inputs[0]->type());
  GE_ASSIGN_OR_RETURN(const int64_t axis, NormalizeAxis(ctx.node.Int("axis"), static_cast<int64_t>(extents.size()), name));
  const AxisSplit split = extents.empty() ? AxisSplit{} : SplitAtAxis(extents, axis);
  std::vector<double> y(x.size());
  for (int64_t row = 0; row < split.outer * split.inner && !x.empty(); ++row) {
    const int64_t base = row / split.inner * split.extent * split.inner + row % split.inner;
    const auto at = [&](int64_t i) { return static_cast<size_t>(base + i * split.inner); };
    double top = -std::numeric_limits<double>::infinity(), sum = 0;
    for (int64_t i = 0; i < split.extent; ++i) top = std::isnan(x[at(i)]) || x[at(i)] > top ? x[at(i)] : top;
    if (kind == SoftmaxKind::kSafe && std::isinf(top) && top < 0) continue;  // y is zero there
    for (int64_t i = 0; i < split.extent; ++i) sum += std::exp(x[at(i)] - top);
    for (int64_t i = 0; i < split.extent; ++i)
      y[at(i)] = kind == SoftmaxKind::kLog ? x[at(i)] - top - std::log(sum) : std::exp(x[at(i)] - top) / sum;
  }
  return WriteFloats(ctx.outputs[0], y, name);
}

}  // namespace ge::nn
