#pragma once
// UselessControlEdgesPass: removes control edges that say nothing:
//   from an input or a constant that waits for nothing itself: it is always there;
//   beside a path of data or control edges that orders the same two nodes.
//
//   before                                     after
//     %a = Exp(%x) : f32[4]                      %0 = Exp(%a0) : f32[4]
//     %y = Neg(%a) after(%a) : f32[4]            %1 = Neg(%0) : f32[4]
//     return %y                                  return %1
//
// An edge from a reader of an input to the Assign that writes it stays: nothing else says that the reader comes first.
#include "ge_core/passes/pass.h"

namespace ge {

class GE_API UselessControlEdgesPass final : public GraphPass {
 public:
  std::string_view name() const override { return "useless-control-edges"; }
  Result<bool> Run(Graph& graph) override;
};

}  // namespace ge
