#include "ge_core/engine/local/graph_optimizer.h"

#include "ge_core/engine/local/names.h"

namespace ge::local {

std::string_view GeLocalGraphOptimizer::name() const { return kOptimizerName; }
std::string_view GeLocalGraphOptimizer::engine() const { return kEngineName; }

Result<bool> GeLocalGraphOptimizer::OptimizeOriginalGraphJudgeInsert(Graph& graph) {
  bool changed = false;
  const auto mark = [&](Node* node, std::string_view name, Attr value) {
    if (const Attr* now = node->attrs().Find(name); now && *now == value) return;
    graph.SetAttr(node, name, std::move(value));
    changed = true;
  };
  for (Node* n : graph.nodes()) {
    const bool concat = n->Is("PhonyConcat");
    if (!concat && !n->Is("PhonySplit")) continue;
    mark(n, kNoTask, true);
    mark(n, kOutputReuseInput, true);
    mark(n, kReuseInputOnDimIndex, 0);
    mark(n, concat ? kNoPaddingContinuousInput : kNoPaddingContinuousOutput, true);
  }
  return changed;
}

}  // namespace ge::local
