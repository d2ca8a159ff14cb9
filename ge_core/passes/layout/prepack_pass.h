#pragma once
// PrepackPass: weights go to the engine in the storage layout that it likes best. The TransData node runs in the
// constant stage, once a weight set, not at each call.
//
//   before                                     after
//     %y = MatMulV2(%x, %w) : f32[2,4]           %0 = TransData(%a1) : f32[8,4]{packed "onednn:..."}
//     return %y                                  %1 = MatMulV2(%a0, %0) : f32[2,4]
//                                                return %1
//
// A weight is a known value of the constant stage (constant_stage.h). Which layout: the preferences of the first engine, in placement
// order, that supports the node. Two users that like the same layout share one TransData.
#include "ge_core/ir/engine.h"
#include "ge_core/passes/pass.h"

namespace ge {

class GE_API PrepackPass final : public GraphPass {
 public:
  // Borrowed engines, in placement order; they must outlive the pass.
  explicit PrepackPass(EngineList engines) : engines_(std::move(engines)) {}
  std::string_view name() const override { return "prepack"; }
  Result<bool> Run(Graph& graph) override;

 private:
  EngineList engines_;
};

}  // namespace ge
