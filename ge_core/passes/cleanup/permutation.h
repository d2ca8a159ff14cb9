#pragma once
// The axis permutation of Transpose (in its three forms), TransposeD and Permute, read from a node.
#include "ge_core/passes/rewriter.h"

namespace ge {

// The operators that permute axes.
std::span<const std::string_view> PermutingOps();
bool PermutesAxes(const Node& node);

// perm[j]: the axis of the operand that becomes axis j of the result, none negative. nullopt for any other operator.
std::optional<std::vector<int64_t>> PermutationOf(const Node& node);

}  // namespace ge
