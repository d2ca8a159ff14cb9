#pragma once
// Fingerprint: a hash of everything a pass may change. Equal modules have equal fingerprints, in any process.
#include <cstdint>

#include "ge_core/ir/graph.h"

namespace ge {

// Covers node order, operators, operands, attributes, types, control edges and graph names; not node names and source
// lines, and of a large constant its first 4 KiB.
GE_API uint64_t Fingerprint(const Module& module);

}  // namespace ge
