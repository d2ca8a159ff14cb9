#pragma once
// InlinePartitionedCallPass: a PartitionedCall becomes the nodes of the subgraph that it alone runs, so that the other
// passes see through it. A subgraph with several callers stays one: it is compiled once.
//
//   %y = PartitionedCall(%x) {f=@block} : f32[4]      ->      %0 = Exp(%x) : f32[4]
//   graph @block(%a) { %0 = Exp(%a) ... return %1 }           %1 = Relu(%0) : f32[4]
#include "ge_core/passes/pass.h"

namespace ge {

class GE_API InlinePartitionedCallPass final : public GraphPass {
 public:
  std::string_view name() const override { return "inline-partitioned-call"; }
  // Acts on the whole module when it is run on the entry graph, and does nothing on others.
  Result<bool> Run(Graph& graph) override;
};

}  // namespace ge
