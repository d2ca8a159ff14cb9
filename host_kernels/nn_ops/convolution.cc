#include "host_kernels/nn_ops/convolution.h"

#include <algorithm>
#include <array>

namespace ge::nn {

Result<ConvAttrs> ConvAttrsOf(const InferContext& ctx, size_t n, bool transposed) {
  ConvAttrs a;
  GE_ASSIGN_OR_RETURN(a.stride, SpatialInts(ctx, "strides", n));
  GE_ASSIGN_OR_RETURN(a.pad, SpatialInts(ctx, "pads", n));
  GE_ASSIGN_OR_RETURN(a.dilation, SpatialInts(ctx, "dilations", n));
  a.output_padding.assign(n, 0);
  if (transposed) { GE_ASSIGN_OR_RETURN(a.output_padding, SpatialInts(ctx, "output_padding", n, {0})); }
  a.groups = ctx.Int("groups");
  constexpr int64_t kLimit = int64_t{1} << 31;  // keeps window arithmetic far from overflow
  const auto in_range = [](int64_t v, int64_t low) { return v >= low && v < kLimit; };
  if (!in_range(a.groups, 1)) return InvalidArgument(StrCat(ctx.op.name, ": groups is ", a.groups, ", expected a positive number"));
  for (size_t d = 0; d < n; ++d) {
    if (!in_range(a.stride[d], 1) || !in_range(a.dilation[d], 1) || !in_range(a.pad[d], 0) || !in_range(a.output_padding[d], 0))
      return InvalidArgument(StrCat(ctx.op.name, ": stride ", a.stride[d], " and dilation ", a.dilation[d], " must be positive, padding ",
                                    a.pad[d], " and output padding ", a.output_padding[d], " not negative"));
    if (transposed && a.output_padding[d] >= std::max(a.stride[d], a.dilation[d]))
      return InvalidArgument(StrCat(ctx.op.name, ": output padding ", a.output_padding[d], " must be smaller than stride ", a.stride[d],
                                    " or dilation ", a.dilation[d]));
  }
  return a;
}

Result<Types> InferConvolution(const InferContext& ctx, size_t n, bool transposed) {
  GE_RETURN_IF_ERROR(RequireTensors(ctx));
  GE_RETURN_IF_ERROR(RequireSameDType(ctx, {0, 1, 2}));
  GE_RETURN_IF_ERROR(RequireRank(ctx, 0, static_cast<int64_t>(n) + 2));
  GE_RETURN_IF_ERROR(RequireRank(ctx, 1, static_cast<int64_t>(n) + 2));
  const std::string format = ctx.Str("data_format");
  if (format != (n == 3 ? "NCDHW" : "NCHW"))
    return Unimplemented(StrCat(ctx.op.name, ": data_format is '", format, "', expected channels first"));
  GE_ASSIGN_OR_RETURN(const ConvAttrs a, ConvAttrsOf(ctx, n, transposed));
  const Shape &x = ctx.input(0).shape(), &f = ctx.input(1).shape();
  if (f[0].IsConst() && f[0].value() % a.groups != 0)
    return InvalidArgument(StrCat(ctx.op.name, ": filter ", ToString(ctx.input(1)), " does not divide into ", a.groups, " groups"));
  GE_RETURN_IF_ERROR(RequireDim(ctx, "the channel count of x", x[1], transposed ? f[0] : f[1] * Dim(a.groups)));
  Shape y = x;
  y[1] = transposed ? f[1] * Dim(a.groups) : f[0];
  GE_RETURN_IF_ERROR(RequireVector(ctx, 2, y[1]));
  for (size_t d = 0; d < n; ++d) {
    if (x[d + 2].Is(0) || f[d + 2].Is(0))
      return Unimplemented(StrCat(ctx.op.name, ": an empty spatial axis in ", ToString(ctx.input(0)), " or ", ToString(ctx.input(1))));
    y[d + 2] = transposed ? (x[d + 2] - Dim(1)) * Dim(a.stride[d]) - Dim(2 * a.pad[d]) + Dim(a.dilation[d]) * (f[d + 2] - Dim(1)) +
                                Dim(a.output_padding[d] + 1)
                          : WindowOutput(x[d + 2], f[d + 2], a.stride[d], a.pad[d], a.dilation[d]);
    GE_RETURN_IF_ERROR(RequireOutputExtent(ctx, y[d + 2], true));
  }
  return Types{ValueType::Tensor(ctx.input(0).dtype(), std::move(y))};
}

namespace {

using Triple = std::array<int64_t, 3>;

// The last three entries, leading places filled with `fill`: a 1-D or 2-D convolution is a 3-D one with unit axes.
Triple LastThree(std::span<const int64_t> v, int64_t fill) {
  Triple t = {fill, fill, fill};
  std::copy(v.begin(), v.end(), t.begin() + static_cast<int64_t>(3 - v.size()));
  return t;
}

}  // namespace

Status ReferenceConvolution(const HostKernelContext& ctx, bool transposed) {
  const Node& node = ctx.node;
  const std::vector<int64_t> sx = Extents(ctx.inputs[0]->type()), sf = Extents(ctx.inputs[1]->type()), sy = Extents(ctx.outputs[0].type());
  const size_t n = sx.size() - 2;
  const Triple stride = LastThree(SpatialInts(node, "strides", n), 1), pad = LastThree(SpatialInts(node, "pads", n), 0);
  const Triple dilation = LastThree(SpatialInts(node, "dilations", n), 1), in = LastThree(std::span(sx).subspan(2), 1);
  const Triple kernel = LastThree(std::span(sf).subspan(2), 1), out = LastThree(std::span(sy).subspan(2), 1);
  const int64_t batch = sx[0], in_channels = sx[1], out_channels = sy[1], groups = node.Int("groups");
  const int64_t in_group = in_channels / groups, out_group = out_channels / groups, taps = kernel[0] * kernel[1] * kernel[2];
  // The input index that tap k of output index o reads along one axis, or -1. Transposed: o = i*stride - pad + k*dilation.
  const auto source = [&](size_t axis, int64_t o, int64_t k) -> int64_t {
    int64_t i;
    if (transposed) {
      const int64_t scaled = o + pad[axis] - k * dilation[axis];
      if (scaled < 0 || scaled % stride[axis] != 0) return -1;
      i = scaled / stride[axis];
    } else {
      i = o * stride[axis] - pad[axis] + k * dilation[axis];
    }
    return i >= 0 && i < in[axis] ? i : -1;
  };
  return elem::VisitArithmetic(ctx.outputs[0].dtype(), node.op().name, [&](auto tag) -> Status {
    using T = typename decltype(tag)::type;
    using W = elem::Wide<T>;
    const T *x = ctx.inputs[0]->data<T>(), *f = ctx.inputs[1]->data<T>();
    const Tensor* bias = In(ctx, 2);
    T* y = ctx.outputs[0].mutable_data<T>();
    for (int64_t b = 0; b < batch; ++b)
      for (int64_t oc = 0; oc < out_channels; ++oc)
        for (int64_t o0 = 0; o0 < out[0]; ++o0)
          for (int64_t o1 = 0; o1 < out[1]; ++o1)
            for (int64_t o2 = 0; o2 < out[2]; ++o2, ++y) {
              W sum = bias ? elem::Widen<T>(bias->data<T>()[oc]) : W(0);
              const int64_t group = oc / out_group;
              for (int64_t k0 = 0, tap = 0; k0 < kernel[0]; ++k0)
                for (int64_t k1 = 0; k1 < kernel[1]; ++k1)
                  for (int64_t k2 = 0; k2 < kernel[2]; ++k2, ++tap) {
                    const int64_t i0 = source(0, o0, k0), i1 = source(1, o1, k1), i2 = source(2, o2, k2);
                    if (i0 < 0 || i1 < 0 || i2 < 0) continue;
                    for (int64_t c = 0; c < in_group; ++c) {
                      const int64_t ic = group * in_group + c;
                      const W l = elem::Widen<T>(x[(((b * in_channels + ic) * in[0] + i0) * in[1] + i1) * in[2] + i2]);
                      const W r = elem::Widen<T>(transposed ? f[(ic * out_group + oc % out_group) * taps + tap]
                                                            : f[(oc * in_group + c) * taps + tap]);
                      sum = elem::WrapAdd<W>(sum, elem::WrapMul<W>(l, r));
                    }
                  }
              *y = elem::Narrow<T>(sum);
            }
    return {};
  });
}

}  // namespace ge::nn
