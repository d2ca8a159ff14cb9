#include "host_kernels/pool_ops/max_pool_kernel.h"

#include <algorithm>

namespace ge::nn {

Result<Types> InferMaxPool(const InferContext& ctx, size_t n) {
  GE_RETURN_IF_ERROR(RequireTensors(ctx));
  const ValueType& x = ctx.input(0);
  const int64_t axes = static_cast<int64_t>(n);
  if (x.rank() != axes + 1 && x.rank() != axes + 2)
    return InvalidArgument(StrCat(ctx.op.name, ": x is ", ToString(x), ", expected ", axes + 1, " or ", axes + 2, " axes"));
  GE_ASSIGN_OR_RETURN(const Window w, WindowOf(ctx, n, true));
  GE_ASSIGN_OR_RETURN(const Shape y, PooledShape(ctx, w));
  return Types{ValueType::Tensor(x.dtype(), y), ValueType::Tensor(DType::kI64, y)};
}

PoolGeometry GeometryOf(const HostKernelContext& ctx, size_t n, bool has_dilation) {
  const Window w = WindowOf(ctx.node, n, has_dilation);
  const std::vector<int64_t> in = Extents(ctx.inputs[0]->type()), out = Extents(ctx.outputs[0].type());
  PoolGeometry g;
  for (size_t d = 0; d < n; ++d) {
    const size_t at = 3 - n + d;
    g.kernel[at] = w.kernel[d];
    g.stride[at] = w.stride[d];
    g.pad[at] = w.pad[d];
    g.dilation[at] = w.dilation[d];
    g.in[at] = in[in.size() - n + d];
    g.out[at] = out[out.size() - n + d];
  }
  g.planes = Product(std::span(in).first(in.size() - n));
  return g;
}

Status ReferenceMaxPool(const HostKernelContext& ctx, size_t n) {
  const PoolGeometry g = GeometryOf(ctx, n, true);
  return elem::VisitReal(ctx.inputs[0]->dtype(), ctx.node.op().name, [&](auto tag) -> Status {
    using T = typename decltype(tag)::type;
    const T* x = ctx.inputs[0]->data<T>();
    T* y = ctx.outputs[0].mutable_data<T>();
    int64_t* argmax = ctx.outputs[1].mutable_data<int64_t>();
    for (int64_t plane = 0; plane < g.planes; ++plane, x += g.in_size())
      for (int64_t o0 = 0; o0 < g.out[0]; ++o0)
        for (int64_t o1 = 0; o1 < g.out[1]; ++o1)
          for (int64_t o2 = 0; o2 < g.out[2]; ++o2, ++y, ++argmax) {
            const int64_t o[3] = {o0, o1, o2};
            int64_t best = -1;
            ForEachTap(g, o, [&](int64_t i) {
              if (best < 0 || elem::Widen<T>(x[i]) > elem::Widen<T>(x[best]) || elem::IsNan(x[i])) best = i;
            });
            if (best < 0) return InvalidArgument(StrCat(ctx.node.op().name, ": a window lies entirely in the padding"));
            *y = x[best];
            *argmax = best;
          }
    return {};
  });
}

}  // namespace ge::nn
