#pragma once
// EpilogueFusionPass: element-wise nodes behind a product (convolution, matrix product) become part of it, as far as the
// product's engine takes them.
//
//   before                                               after
//     %c = Conv2D(%x, %w) : f32[1,8,6,6]                   %0 = FusedRegion(%x, %w, %r) {body=@main_fused0} : f32[1,8,6,6]
//     %s = Add(%c, %r) : f32[1,8,6,6]                      return %0
//     %y = Relu(%s) : f32[1,8,6,6]
//     return %y                                          with graph @main_fused0(%x, %w, %r) { ... return %y }
//
// A chain: each node is element-wise, pure, without control edges, the only reader of the one before, and of its shape. The
// other operands may be anything. The engine that runs the product is asked whether it takes the region: for the whole chain
// first, then for shorter ones. No list of operators stands here.
#include "ge_core/ir/engine.h"
#include "ge_core/passes/pass.h"

namespace ge {

class GE_API EpilogueFusionPass final : public GraphPass {
 public:
  // Borrowed engines, in placement order; they must outlive the pass.
  explicit EpilogueFusionPass(EngineList engines) : engines_(std::move(engines)) {}
  std::string_view name() const override { return "epilogue-fusion"; }
  Result<bool> Run(Graph& graph) override;

 private:
  EngineList engines_;
};

}  // namespace ge
