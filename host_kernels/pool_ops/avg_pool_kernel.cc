#include "host_kernels/pool_ops/avg_pool_kernel.h"

#include <algorithm>

#include "host_kernels/pool_ops/max_pool_kernel.h"

namespace ge::nn {

Result<Types> InferAvgPool(const InferContext& ctx, size_t n) {
  GE_RETURN_IF_ERROR(RequireTensors(ctx));
  const ValueType& x = ctx.input(0);
  const int64_t axes = static_cast<int64_t>(n);
  if (x.rank() != axes + 1 && x.rank() != axes + 2)
    return InvalidArgument(StrCat(ctx.op.name, ": x is ", ToString(x), ", expected ", axes + 1, " or ", axes + 2, " axes"));
  const Attr divisor = ctx.attr("divisor_override");
  if (const int64_t* v = divisor.Get<int64_t>(); v && *v == 0)
    return InvalidArgument(StrCat(ctx.op.name, ": divisor_override must not be zero"));
  GE_ASSIGN_OR_RETURN(const Window w, WindowOf(ctx, n, false));
  GE_ASSIGN_OR_RETURN(const Shape y, PooledShape(ctx, w));
  return Types{ValueType::Tensor(x.dtype(), y)};
}

Status ReferenceAvgPool(const HostKernelContext& ctx, size_t n) {
  const PoolGeometry g = GeometryOf(ctx, n, false);
  const std::string_view name = ctx.node.op().name;
  const Attr override_attr = ctx.node.attr("divisor_override");
  const int64_t* divisor_override = override_attr.Get<int64_t>();
  const bool exclusive = ctx.node.Bool("exclusive");
  GE_ASSIGN_OR_RETURN(const std::vector<double> x, ReadFloats(ctx.inputs[0], name));
  std::vector<double> y;
  y.reserve(static_cast<size_t>(g.planes * g.out_size()));
  for (int64_t plane = 0; plane < g.planes; ++plane)
    for (int64_t o0 = 0; o0 < g.out[0]; ++o0)
      for (int64_t o1 = 0; o1 < g.out[1]; ++o1)
        for (int64_t o2 = 0; o2 < g.out[2]; ++o2) {
          const int64_t o[3] = {o0, o1, o2};
          double sum = 0;
          int64_t inside = 0, padded = 1;  // elements of the input / of the padded input under the window
          ForEachTap(g, o, [&](int64_t i) {
            sum += x[static_cast<size_t>(plane * g.in_size() + i)];
            ++inside;
          });
          for (int d = 0; d < 3; ++d) {
            const int64_t begin = o[d] * g.stride[d] - g.pad[d];
            padded *= std::min(begin + g.kernel[d], g.in[d] + g.pad[d]) - begin;
          }
          const int64_t divisor = divisor_override ? *divisor_override : exclusive ? inside : padded;
          y.push_back(inside == 0 ? 0.0 : sum / static_cast<double>(divisor));
        }
  return WriteFloats(ctx.outputs[0], y, name);
}

}  // namespace ge::nn
