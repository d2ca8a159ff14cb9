#pragma once
// SubgraphConstMigrationPass: a constant that is passed to subgraphs is made inside them, and is no argument any more, so
// that folding sees it there. For If, While (an operand that every turn gets unchanged) and PartitionedCall; a subgraph
// with several callers where all pass equal constants.
//
//   %c = Const 2 : f32[]                                             %y = PartitionedCall(%x) {f=@f} : f32[4]
//   %y = PartitionedCall(%x, %c) {f=@f} : f32[4]             ->      graph @f(%a: f32[4]) {
//   graph @f(%a: f32[4], %b: f32[]) { ... Mul(%a, %b) ... }            %b = Const 2 : f32[]  ...
#include "ge_core/passes/pass.h"

namespace ge {

class GE_API SubgraphConstMigrationPass final : public GraphPass {
 public:
  std::string_view name() const override { return "subgraph-const-migration"; }
  // Acts on the whole module when it is run on the entry graph, and does nothing on others.
  Result<bool> Run(Graph& graph) override;
};

}  // namespace ge
