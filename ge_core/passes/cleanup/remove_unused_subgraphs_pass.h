#pragma once
// RemoveUnusedSubgraphsPass: removes the subgraphs of the module that no node of a reachable graph names any more. Acts
// when it is run on the entry graph, and does nothing on others.
#include "ge_core/passes/pass.h"

namespace ge {

class GE_API RemoveUnusedSubgraphsPass final : public GraphPass {
 public:
  std::string_view name() const override { return "remove-unused-subgraphs"; }
  Result<bool> Run(Graph& graph) override;
};

}  // namespace ge
