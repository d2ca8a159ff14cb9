#pragma once
// The mark by which a pass asks an engine to compute a node by another algorithm than its usual one.
#include <string_view>

namespace ge {

inline constexpr std::string_view kAlgorithmMark = "_algorithm";
inline constexpr std::string_view kWinograd = "winograd";  // minimal filtering F(2 x 2, 3 x 3) of convolutions

}  // namespace ge
