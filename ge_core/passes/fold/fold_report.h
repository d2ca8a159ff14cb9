#pragma once
// FoldReport: what constant folding did, and for every node it left the first rule that stopped it. Plain data.
#include <map>
#include <string>
#include <string_view>

#include "ge_core/base/api.h"

namespace ge {

struct GE_API FoldReport {
  using ByNode = std::map<std::string, std::string, std::less<>>;  // node name -> text
  std::map<std::string, ByNode, std::less<>> kept;                 // graph -> node -> the first rule that failed
  std::map<std::string, ByNode, std::less<>> folded;               // graph -> node -> "level 1 -> 'const name'"

  // Why `node` of `graph` was not folded; empty if it was, or if folding never saw it.
  std::string_view Why(std::string_view graph, std::string_view node) const;
  size_t num_folded() const;
};

}  // namespace ge
