#pragma once
// UnusedArgsCleanPass: parameters that no subgraph of a call reads, and results that no caller reads, go from the subgraphs
// and from the calls. What a While carries stays.
//
//   %a, %b = If(%p, %x, %y) {then_branch=@t, else_branch=@e} : ...     ->     %a = If(%p, %x) {...} : ...
#include "ge_core/passes/pass.h"

namespace ge {

class GE_API UnusedArgsCleanPass final : public GraphPass {
 public:
  std::string_view name() const override { return "unused-args-clean"; }
  // Acts on the whole module when it is run on the entry graph, and does nothing on others.
  Result<bool> Run(Graph& graph) override;
};

}  // namespace ge
