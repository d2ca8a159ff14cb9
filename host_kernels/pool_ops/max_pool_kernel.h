#pragma once
// Max pooling over two or three spatial axes: inference and reference kernel.
#include "host_kernels/nn_util.h"

namespace ge::nn {

Result<Types> InferMaxPool(const InferContext& ctx, size_t n);
Status ReferenceMaxPool(const HostKernelContext& ctx, size_t n);

// Visits the window of one output element: fn(flat index into the last three axes). `index` is the output index; axes of
// extent 1 stand in front of fewer than three. Taps outside the input are skipped.
struct PoolGeometry {
  int64_t kernel[3] = {1, 1, 1}, stride[3] = {1, 1, 1}, pad[3] = {}, dilation[3] = {1, 1, 1}, in[3] = {1, 1, 1}, out[3] = {1, 1, 1};
  int64_t planes = 1;  // product of all leading axes
  int64_t in_size() const { return in[0] * in[1] * in[2]; }
  int64_t out_size() const { return out[0] * out[1] * out[2]; }
};
PoolGeometry GeometryOf(const HostKernelContext& ctx, size_t n, bool has_dilation);

template <typename Fn>
void ForEachTap(const PoolGeometry& g, const int64_t (&o)[3], Fn&& fn) {
  int64_t begin[3];
  for (int d = 0; d < 3; ++d) begin[d] = o[d] * g.stride[d] - g.pad[d];
  for (int64_t k0 = 0; k0 < g.kernel[0]; ++k0)
    for (int64_t k1 = 0; k1 < g.kernel[1]; ++k1)
      for (int64_t k2 = 0; k2 < g.kernel[2]; ++k2) {
        const int64_t i0 = begin[0] + k0 * g.dilation[0], i1 = begin[1] + k1 * g.dilation[1], i2 = begin[2] + k2 * g.dilation[2];
        if (i0 < 0 || i1 < 0 || i2 < 0 || i0 >= g.in[0] || i1 >= g.in[1] || i2 >= g.in[2]) continue;
        fn((i0 * g.in[1] + i1) * g.in[2] + i2);
      }
}

}  // namespace ge::nn
