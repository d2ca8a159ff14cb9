// AdaptiveAvgPool2d: average pooling to a given size.
#include "host_kernels/pool_ops/adaptive_pool.h"

namespace ge {
namespace {

Result<Types> InferAdaptiveAvgPool2d(const InferContext& c) {
  GE_ASSIGN_OR_RETURN(Shape y, nn::AdaptivePoolShape(c, 2));
  return Types{ValueType::Tensor(c.input(0).dtype(), std::move(y))};
}

struct AdaptiveAvgPool2dKernel {
  static Status Compute(const HostKernelContext& ctx) {
    GE_ASSIGN_OR_RETURN(const std::vector<double> x, nn::ReadFloats(ctx.inputs[0], "AdaptiveAvgPool2d"));
    const std::vector<int64_t> in = Extents(ctx.inputs[0]->type()), out = Extents(ctx.outputs[0].type());
    const size_t r = in.size();
    const int64_t ih = in[r - 2], iw = in[r - 1], oh = out[r - 2], ow = out[r - 1], planes = Product(std::span(in).first(r - 2));
    std::vector<double> y;
    for (int64_t p = 0; p < planes; ++p)
      for (int64_t i = 0; i < oh; ++i)
        for (int64_t j = 0; j < ow; ++j) {
          const int64_t h0 = nn::AdaptiveBegin(i, ih, oh), h1 = nn::AdaptiveEnd(i, ih, oh), w0 = nn::AdaptiveBegin(j, iw, ow),
                        w1 = nn::AdaptiveEnd(j, iw, ow);
          double sum = 0;
          for (int64_t h = h0; h < h1; ++h)
            for (int64_t w = w0; w < w1; ++w) sum += x[static_cast<size_t>((p * ih + h) * iw + w)];
          y.push_back(sum / static_cast<double>((h1 - h0) * (w1 - w0)));
        }
    return nn::WriteFloats(ctx.outputs[0], y, "AdaptiveAvgPool2d");
  }
};

}  // namespace

GE_DEFINE_OP(AdaptiveAvgPool2d)
    .Doc("Mean over windows that divide the last two axes into output_size parts, overlapping where they do not divide evenly.")
    .Input("x", kFloatTypes)
    .Output("y", kFloatTypes)
    .Required("output_size", AttrKind::kInts)
    .Traits(kFollowsLayout)
    .Infer(InferAdaptiveAvgPool2d)
    .Aten("aten::_adaptive_avg_pool2d(x, @output_size)");
REGISTER_COMPUTE_NODE_KERNEL(AdaptiveAvgPool2d, AdaptiveAvgPool2dKernel);

}  // namespace ge
