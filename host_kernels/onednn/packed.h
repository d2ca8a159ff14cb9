#pragma once
// Packed layouts as text. "onednn:<bytes>:<descriptor>" names a blocked memory descriptor completely: with the logical
// type of the value it can be rebuilt in another process, without the node that asked for it.
//
//   descriptor := ["g" groups ";"] "s" strides ";p" padded-dims ";b" block "@" axis { "," block "@" axis }
//
// strides are those of the outer (block) axes in elements, as oneDNN counts them. "g4" says that axis 0 of the value is
// split in two, groups first: convolution weights [O, I/G, kh, kw] become [G, O/G, I/G, kh, kw].
#include "host_kernels/onednn/api.h"

namespace ge::onednn {

// The text of `desc`; nullopt if it is plain, or has parts that text cannot name (compensation, Winograd).
std::optional<std::string> PackedName(const Desc& desc, int64_t groups);

struct PackedDesc {
  Desc desc;           // over the split axes when groups > 0
  int64_t groups = 0;  // 0: not split
  int64_t bytes = 0;
};
// Rebuilds the descriptor. The text may come from a file: everything in it is checked, including that the stated bytes
// are those that the descriptor needs.
Result<PackedDesc> ParsePacked(const ValueType& type);

// The extents of a convolution weight with axis 0 split.
Dims SplitGroups(const Dims& dims, int64_t groups);

}  // namespace ge::onednn
