#pragma once
// Nearest: which of the valid names did the user mean? For error messages about options, passes and operators.
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ge_core/base/api.h"

namespace ge {

// Up to `count` of `names`, the ones closest to `wrong` by edit distance (case ignored), best first. Names that have
// nothing in common with it are left out.
GE_API std::vector<std::string> Nearest(std::string_view wrong, std::span<const std::string_view> names, size_t count = 3);

// "; did you mean 'a' or 'b'?", or "; valid are 'a', 'b'" where nothing is close.
GE_API std::string DidYouMean(std::string_view wrong, std::span<const std::string_view> names);

}  // namespace ge
