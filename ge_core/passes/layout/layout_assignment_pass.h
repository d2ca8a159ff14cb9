#pragma once
// LayoutAssignmentPass: activations take the storage layout that the engines of their products like best, for the whole
// graph at once, where that saves more reorders than it costs.
//
//   before                                          after
//     %a = Conv2D(%x, %w) : f32[1,8,6,6]              %0 = TransData(%x) : f32[1,3,8,8]{192,1,24,3}
//     %b = Relu(%a) : f32[1,8,6,6]                    %a = Conv2D(%0, %w) : f32[1,8,6,6]{288,1,48,8}
//     %c = Conv2D(%b, %v) : f32[1,8,4,4]              %b = Relu(%a) : f32[1,8,6,6]{288,1,48,8}
//     return %c                                       %c = Conv2D(%b, %v) : f32[1,8,4,4]{128,1,32,8}
//                                                     %1 = TransData(%c) : f32[1,8,4,4]
//                                                     return %1
//
// Values that element-wise nodes and operators of trait kFollowsLayout tie together have one layout: they form a group. A
// group is free to change if all its values are row-major tensors of one rank >= 3, static, written by nobody. Engines wish
// through LayoutPreference for the order of axes "channels last"; each granted wish saves the engine a reorder inside. What
// reads a value of the group but neither follows nor wishes (a view, an operator of another engine, NetOutput: outputs keep
// eager's strides) reads a copy in row-major order, made once. A group changes if the bytes saved are at least the bytes
// copied; groups do not influence each other, so this is the least number of bytes for the whole graph.
#include "ge_core/ir/engine.h"
#include "ge_core/passes/pass.h"

namespace ge {

class GE_API LayoutAssignmentPass final : public GraphPass {
 public:
  // Borrowed engines, in placement order; they must outlive the pass.
  explicit LayoutAssignmentPass(EngineList engines) : engines_(std::move(engines)) {}
  std::string_view name() const override { return "layout-assignment"; }
  Result<bool> Run(Graph& graph) override;

 private:
  EngineList engines_;
};

}  // namespace ge
