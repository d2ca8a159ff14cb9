#pragma once
// CommonSubexpressionEliminationPass: of two nodes that compute the same, the second is replaced by the first. O(nodes).
//
//   before                                after
//     %a = Sigmoid(%x) : f32[4]             %0 = Sigmoid(%a0) : f32[4]
//     %b = Sigmoid(%x) : f32[4]             %1 = Mul(%0, %0) : f32[4]
//     %y = Mul(%a, %b) : f32[4]             return %1
//     return %y
//
// The same = operator, operands (sorted where the operator is commutative), attributes, result types with their
// layouts; constants bit by bit (-0.0 is not 0.0). A hash finds candidates, a full comparison decides. Only pure nodes
// without control edges are merged, and never so that two results of the graph become one value, or a value that may be
// written gets another reader: callers of eager PyTorch can tell those apart.
#include "ge_core/passes/pass.h"

namespace ge {

class GE_API CommonSubexpressionEliminationPass final : public GraphPass {
 public:
  std::string_view name() const override { return "common-subexpression-elimination"; }
  Result<bool> Run(Graph& graph) override;
};

}  // namespace ge
