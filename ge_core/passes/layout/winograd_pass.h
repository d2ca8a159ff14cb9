#pragma once
// WinogradPass: convolutions whose engine computes them faster by Winograd's minimal filtering are marked for it. Class tolerance: the
// sums are others than the direct convolution's.
//
//   before                                        after
//     %y = Conv2D(%x, %w) : f32[1,64,56,56]{...}    %y = Conv2D(%x, %w) {_algorithm="winograd"} : f32[1,64,56,56]{...}
//
// The engine answers for the marked node as for any other; what it refuses stays unmarked. Only filters that are known in the constant
// stage count: the transform of a filter costs more than it saves in one call.
#include "ge_core/ir/engine.h"
#include "ge_core/passes/pass.h"

namespace ge {

class GE_API WinogradPass final : public GraphPass {
 public:
  // Borrowed engines, in placement order; they must outlive the pass.
  explicit WinogradPass(EngineList engines) : engines_(std::move(engines)) {}
  std::string_view name() const override { return "winograd"; }
  Result<bool> Run(Graph& graph) override;

 private:
  EngineList engines_;
};

}  // namespace ge
