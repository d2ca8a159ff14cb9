#pragma once
// GeLocalGraphOptimizer: marks virtual concatenations and splits, so that memory planning finds parts and whole in one buffer.
#include "ge_core/engine/engine_plugin.h"

namespace ge::local {

class GeLocalGraphOptimizer final : public GraphOptimizer {
 public:
  std::string_view name() const override;
  std::string_view engine() const override;
  // PhonyConcat, PhonySplit: no task, the result reuses the input on axis 0, parts lie one behind the other without padding.
  Result<bool> OptimizeOriginalGraphJudgeInsert(Graph& graph) override;
};

}  // namespace ge::local
