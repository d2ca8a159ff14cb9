#pragma once
// The three linear maps of Winograd's minimal filtering F(2 x 2, 3 x 3) (Lavin and Gray, "Fast Algorithms for Convolutional Neural
// Networks", 2015): a 3 x 3 convolution of stride 1 computes 2 x 2 outputs from 4 x 4 inputs with 16 products a pair of channels
// instead of 36. All pixels are rows of channels (channels-last memory).
#include <cstdint>

namespace ge::onednn::winograd {

inline constexpr int64_t kPositions = 16;  // of a tile

// B^T d B for one tile: pixels[i] are its 16 rows of `channels` floats; position q goes to v + q * plane. Returns the largest
// magnitude, NaN counted as more than infinity, of the four pixels in the middle, as the bits of a float.
uint32_t TransformInput(const float* const* pixels, int64_t channels, float* v, int64_t plane);

// G g G^T of the filter g[3][3], rounded once.
void TransformFilter(const float* g, float* u);

// A^T m A for one tile, plus the bias (may be null): position q comes from m + q * plane; the four results go to rows[0..3].
void TransformOutput(const float* m, int64_t plane, const float* bias, int64_t channels, float* const* rows);

// Element-wise work on a row of results. NaN stays.
void AddRow(float* row, const float* other, int64_t channels);
void ClampRow(float* row, float low, float high, int64_t channels);

}  // namespace ge::onednn::winograd
