#pragma once
// CtrlEdgeTransferPass: constants neither wait nor are waited for. Folding leaves constants that took over the control edges
// of what they replace, and such edges keep their readers out of fused regions.
//
//   before                                              after
//     %e = AtenCall(%x) {...} : opaque                    %0 = AtenCall(%a0) {...} : opaque
//     %c = Const 2 after(%e) : f32[4]                     %1 = Const 2 : f32[4]
//     %y = Mul(%x, %c) : f32[4]                           %2 = Mul(%a0, %1) : f32[4]
//     return %y                                           return %2
//
// What a constant waited for is handed to those of its readers and successors for which the order means something: nodes
// with effects, and, where the predecessor belongs to a branch, everybody. A pure node reads only what data edges bring it.
#include "ge_core/passes/pass.h"

namespace ge {

class GE_API CtrlEdgeTransferPass final : public GraphPass {
 public:
  std::string_view name() const override { return "ctrl-edge-transfer"; }
  Result<bool> Run(Graph& graph) override;
};

}  // namespace ge
