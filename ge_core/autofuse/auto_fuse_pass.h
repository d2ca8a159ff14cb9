#pragma once
// AutoFusePass: chains and trees of element-wise nodes become FusedRegion nodes, one loop each.
//
//   before                                     after
//     %a = Exp(%x) : f32[64]                     %0, %1 = FusedRegion(%a0) {body=@main_fused0} : f32[64], f32[64]
//     %b = Neg(%a) : f32[64]                     return %0, %1
//     %c = Relu(%b) : f32[64]
//     return %a, %c                            with graph @main_fused0(%x) { ... return %a, %c }
//
// Which nodes: those with the element-wise trait, pure and without control edges, that the engine supports on their own;
// all outputs of a region have one shape and one layout. A region ends at its last node; a node joins if everything that
// reads it is inside or comes after that last node (it is then an output of the region too), and if no effect stands
// between. So no path leaves a region and comes back, and no read moves across a write. The engine has the last word on
// the region formed; if it refuses, the nodes stay as they are.
#include "ge_core/ir/engine.h"
#include "ge_core/passes/pass.h"

namespace ge {

struct AutoFuseOptions {
  size_t min_nodes = 2;
  size_t max_nodes = 64;     // registers spill in longer bodies
  size_t max_operands = 24;  // inputs and outputs: as many pointers in the loop
};

class GE_API AutoFusePass final : public GraphPass {
 public:
  // The engine that runs FusedRegion nodes, and those that are asked before it: their nodes are theirs. Borrowed; they must
  // outlive the pass.
  explicit AutoFusePass(const Engine* engine, AutoFuseOptions options = {}, EngineList before = {})
      : engine_(engine), options_(options), before_(std::move(before)) {}
  std::string_view name() const override { return "autofuse"; }
  Result<bool> Run(Graph& graph) override;

 private:
  const Engine* engine_;
  AutoFuseOptions options_;
  EngineList before_;
};

}  // namespace ge
