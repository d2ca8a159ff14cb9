#include "ge_core/passes/cleanup/control_edges.h"

#include <algorithm>
#include <vector>

namespace ge {
namespace {

constexpr size_t kMaxLookedAt = 64;

bool IsConditional(const Node& n) { return n.Is("Switch") || n.Is("RefSwitch") || n.Is("Merge"); }

}  // namespace

bool OrderedWithoutEdge(const Node& first, const Node& node) {
  // Backwards from `node`; what lies before `first` in the list cannot come after it.
  std::vector<const Node*> seen = {&node};
  for (size_t k = 0; k < seen.size(); ++k) {
    const auto reaches = [&](const Node* n, bool control) {
      if (n == &first) return !(control && seen[k] == &node);
      if (first.Before(*n) && seen.size() < kMaxLookedAt && std::find(seen.begin(), seen.end(), n) == seen.end()) seen.push_back(n);
      return false;
    };
    for (const Value* v : seen[k]->inputs())
      if (v && reaches(v->producer(), false)) return true;
    for (const Node* n : seen[k]->control_inputs())
      if (reaches(n, true)) return true;
  }
  return false;
}

bool MayNotRun(const Node& node) {
  if (IsConditional(node)) return true;
  return std::any_of(node.inputs().begin(), node.inputs().end(), [](const Value* v) { return v && IsConditional(*v->producer()); });
}

}  // namespace ge
