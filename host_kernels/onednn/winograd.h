#pragma once
// Conv2D by Winograd's minimal filtering F(2 x 2, 3 x 3): 3 x 3 filters of stride 1 take 2.25 times fewer multiplications. The
// convolution becomes 16 matrix products, [tiles, in] x [in, out], between two cheap linear maps of the pixels
// (winograd_transform.h). With sums of in instead of 9 in terms its rounding errors are smaller than those of the direct
// convolution on inputs of one scale.
//
// A node asks for it by the mark kWinogradMark (pass winograd); what then decides is the packed layout of its filter.
#include "host_kernels/onednn/packed.h"
#include "host_kernels/onednn/product.h"

namespace ge::onednn {

// The filter is packed for this algorithm.
bool PackedForWinograd(const ValueType& filter);
// Or the node wishes it were.
bool UsesWinograd(const Product& p);
// Empty: the algorithm computes this convolution with its epilogue, and in less time.
std::string WhyNoWinograd(const Product& p);

// The layout of the filter.
Result<StorageLayout> WinogradLayout(const Product& p);
// Transforms and packs a filter of type `from`, in any strides (TransData).
Result<std::unique_ptr<Executable>> LoadWinogradFilter(const ValueType& from, const PackedDesc& to);

// `direct` loads the direct convolution over the same operands. It runs where a result could differ in more than rounding: x or
// the filter has NaN, infinity, or numbers so large that a transform might overflow.
Result<std::unique_ptr<Executable>> LoadWinograd(const Product& p, Result<std::unique_ptr<Executable>> (*direct)(const Product&));

}  // namespace ge::onednn
