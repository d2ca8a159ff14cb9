// ResizeNearestNeighborV2: nearest source element, its place rounded down.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "host_kernels/nn_ops/resize.h"

namespace ge {
namespace {

Result<Types> InferResizeNearestNeighborV2(const InferContext& c) { return nn::InferResize(c, 2); }

// The source index of each output index along one axis. Like the CPU kernel: the step is 1 / scale where a positive scale
// was given, else in / out, and positions are computed in float (double for float64).
template <typename F>
std::vector<int64_t> SourceIndices(int64_t in, int64_t out, std::optional<double> scale) {
  const F step = scale && *scale > 0 ? static_cast<F>(1.0 / *scale) : static_cast<F>(in) / static_cast<F>(out);
  std::vector<int64_t> indices(static_cast<size_t>(out));
  for (int64_t o = 0; o < out; ++o)
    indices[static_cast<size_t>(o)] = std::min(static_cast<int64_t>(std::floor(static_cast<F>(o) * step)), in - 1);
  return indices;
}

struct ResizeNearestNeighborV2Kernel {
  static Status Compute(const HostKernelContext& ctx) {
    const Tensor& x = *ctx.inputs[0];
    const std::vector<int64_t> in = Extents(x.type()), out = Extents(ctx.outputs[0].type());
    const auto indices = [&](size_t axis, std::string_view scale) {
      const std::optional<double> s = ctx.node.attr(scale).AsDouble();
      return x.dtype() == DType::kF64 ? SourceIndices<double>(in[axis], out[axis], s) : SourceIndices<float>(in[axis], out[axis], s);
    };
    const std::vector<int64_t> rows = indices(2, "scales_h"), columns = indices(3, "scales_w");
    const size_t bytes = SizeOf(x.dtype());
    std::byte* y = ctx.outputs[0].mutable_data<std::byte>();
    for (int64_t plane = 0; plane < in[0] * in[1]; ++plane)
      for (int64_t row : rows)
        for (int64_t column : columns) {
          std::memcpy(y, x.data<std::byte>() + static_cast<size_t>((plane * in[2] + row) * in[3] + column) * bytes, bytes);
          y += bytes;
        }
    return {};
  }
};

}  // namespace

GE_DEFINE_OP(ResizeNearestNeighborV2)
    .Doc("Resizes the spatial axes of x to `size`: nearest source element, its place rounded down.")
    .Input("x", kFloatTypes)
    .Input("size", kI64Type)
    .Output("y", kFloatTypes)
    .Optional("scales_h", AttrKind::kFloat)
    .Optional("scales_w", AttrKind::kFloat)
    .Traits(kFollowsLayout)
    .Infer(InferResizeNearestNeighborV2)
    .Aten("aten::upsample_nearest2d(x, #size, @scales_h, @scales_w)");
REGISTER_COMPUTE_NODE_KERNEL(ResizeNearestNeighborV2, ResizeNearestNeighborV2Kernel);

}  // namespace ge
