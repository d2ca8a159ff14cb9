#pragma once
// Sizes of results for memory planning, by the rules of the local engine.
#include "ge_core/ir/graph.h"

namespace ge::local {

inline constexpr int64_t kMemoryAlignment = 32;  // bytes

// Bytes of output `index` of `node`, -1 where it is no tensor and has no size of its own:
//   Data and kin, PhonyConcat, PartitionedCall: the dense size rounded up to 32
//   FileConstant: its attribute `length`
//   Const of text (`value`: a string or a list of strings): a head of address and length for each, the bytes and a final zero
//   all others: the dense (or packed) size
// The shape must be static. InvalidArgument where the size does not fit int64 or `length` is missing or negative.
Result<int64_t> OutputBytes(const Node& node, int index);

}  // namespace ge::local
