#pragma once
// Packed layouts as text. "onednn:<bytes>:<descriptor>" names a blocked memory descriptor completely: with the logical
// type of the value it can be rebuilt in another process, without the node that asked for it.
//
//   descriptor := [ "g" groups ";" | "c" chunks ";" | "r;" | "w;" ] "s" strides ";p" padded-dims ";b" block "@" axis { "," block "@" axis }
//
// strides are those of the outer (block) axes in elements, as oneDNN counts them. "g4", "c2", "r" and "w" say that the library sees
// the weight through a view of more axes, see WeightView.
#include "host_kernels/onednn/api.h"

namespace ge::onednn {

// How the library sees a weight: as it is, or with an axis split.
struct WeightView {
  int64_t groups = 0;  // > 0: [O, I/G, kh, kw] as [G, O/G, I/G, kh, kw], for grouped convolutions
  int64_t chunks = 0;  // > 0: [O, I, ...] as [C, O, I/C, ...], for products computed in parts of their sums
  bool gates = false;  // [4H, I] as [1, 1, I, 4, H] (layers, directions, in, gates, out), for LSTM
  // [O, I, 3, 3] as the [16, I, O] of Winograd's transform. The filter itself, [O, I, 3, 3] without gaps, and a flag follow in
  // memory: see WinogradParts.
  bool winograd = false;
  friend bool operator==(const WeightView&, const WeightView&) = default;
};

// The extents of a weight seen that way; empty where its axes do not split so.
Dims ViewDims(const ValueType& weight, const WeightView& view);
// A plain weight seen that way.
Desc ViewDesc(const ValueType& weight, const WeightView& view);

// `count` dense weights of layout `part` one after the other, as one weight of one more axis, in front.
Desc Stacked(const Desc& part, int64_t count);
// One of them.
Desc PartOf(const Desc& stacked);

// Where the parts of a filter packed for Winograd lie behind the transformed one, in bytes.
struct WinogradParts {
  int64_t filter = 0;  // as PyTorch stores it: inputs with NaN or infinity, or very large, are convolved directly
  int64_t flag = 0;    // a float: 1 if all weights are small enough for the transform, else 0
  int64_t bytes = 0;   // all
};
WinogradParts PartsOf(const Desc& transformed);

// The text of `desc`; nullopt if it is plain, or has parts that text cannot name (compensation, Winograd).
std::optional<std::string> PackedName(const Desc& desc, const WeightView& view);

struct PackedDesc {
  Desc desc;  // over the axes of the view
  WeightView view;
  int64_t bytes = 0;
};
// The library adds up all products of an element in one chain, whose rounding error grows with the root of its length; eager's
// code adds up parts of it. Longer chains than this are computed in parts, each added to the result of the one before.
inline constexpr int64_t kMaxChain = 1100;

// Rebuilds the descriptor. The text may come from a file: everything in it is checked, including that the stated bytes
// are those that the descriptor needs.
Result<PackedDesc> ParsePacked(const ValueType& type);

}  // namespace ge::onednn
