#include "host_kernels/norm_ops/batch_norm_kernel.h"

#include <cmath>

namespace ge::nn {

Status RequireBatchNormOperands(const InferContext& ctx, int first) {
  GE_RETURN_IF_ERROR(RequireNormOperands(ctx));
  const ValueType& x = ctx.input(0);
  if (x.rank() < 2) return InvalidArgument(StrCat(ctx.op.name, ": x is ", ToString(x), ", expected at least batch and channel axes"));
  for (int i = first; i < static_cast<int>(ctx.inputs.size()); ++i) GE_RETURN_IF_ERROR(RequireVector(ctx, i, x.shape()[1]));
  return {};
}

Status NormalizeChannels(const HostKernelContext& ctx, const Tensor* scale, const Tensor* offset, const Tensor& mean,
                         const Tensor& variance, double epsilon) {
  const std::string_view name = ctx.node.op().name;
  GE_ASSIGN_OR_RETURN(const std::vector<double> x, ReadFloats(ctx.inputs[0], name));
  GE_ASSIGN_OR_RETURN(const std::vector<double> g, ReadFloats(scale, name));
  GE_ASSIGN_OR_RETURN(const std::vector<double> b, ReadFloats(offset, name));
  GE_ASSIGN_OR_RETURN(const std::vector<double> m, ReadFloats(&mean, name));
  GE_ASSIGN_OR_RETURN(const std::vector<double> v, ReadFloats(&variance, name));
  const std::vector<int64_t> shape = Extents(ctx.inputs[0]->type());
  const size_t channels = static_cast<size_t>(shape[1]), spatial = static_cast<size_t>(Product(std::span(shape).subspan(2)));
  std::vector<double> y(x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    const size_t c = i / spatial % channels;
    y[i] = (x[i] - m[c]) / std::sqrt(v[c] + epsilon) * (g.empty() ? 1.0 : g[c]) + (b.empty() ? 0.0 : b[c]);
  }
  return WriteFloats(ctx.outputs[0], y, name);
}

}  // namespace ge::nn
