#pragma once
// DeadCodeEliminationPass: removes the pure nodes that no result and no effect depends on. O(nodes + edges).
//
//   before                                after
//     %d = Exp(%x) : f32[4]                 %0 = Relu(%a0) : f32[4]
//     %y = Relu(%x) : f32[4]                return %0
//     return %y
//
// Nodes with effects stay, and so do unused inputs: they are part of the graph's signature.
#include "ge_core/passes/pass.h"

namespace ge {

class GE_API DeadCodeEliminationPass final : public GraphPass {
 public:
  std::string_view name() const override { return "dead-code-elimination"; }
  Result<bool> Run(Graph& graph) override;
};

}  // namespace ge
