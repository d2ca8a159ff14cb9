#include "ge_core/passes/fold/fold_report.h"

namespace ge {

std::string_view FoldReport::Why(std::string_view graph, std::string_view node) const {
  auto g = kept.find(graph);
  if (g == kept.end()) return {};
  auto n = g->second.find(node);
  return n == g->second.end() ? std::string_view() : std::string_view(n->second);
}

size_t FoldReport::num_folded() const {
  size_t count = 0;
  for (const auto& [graph, nodes] : folded) count += nodes.size();
  return count;
}

}  // namespace ge
