#pragma once
// ReinplacePass: an update of a graph input happens in the input's own memory instead of in a copy that is written back.
//
//   before                                               after
//     %u = IndexCopy(%cache, %i, %x) {dim=2} : f32[...]    %0 = IndexCopy(%cache, %i, %x) {_reference=true, dim=2} : f32[...]
//     %y = Relu(%u) : f32[...]                             %1 = Relu(%0) : f32[...]
//     %w = Assign(%cache, %u) : f32[...]                   return %1
//     return %y
//
// The mark makes the update a reference node (ge_core/ir/reference.h). Safe where nobody can tell: all readers of the old
// value come before the update; the new value neither leaves the graph by itself nor is written by others; no other operand
// may share memory with the input; and an engine has an in-place kernel. Relies on the final order of nodes, so it is the last
// pass. Bit-exact.
#include "ge_core/ir/engine.h"
#include "ge_core/passes/pass.h"

namespace ge {

class GE_API ReinplacePass final : public NodePass {
 public:
  // Borrowed engines, in placement order; they must outlive the pass.
  explicit ReinplacePass(EngineList engines) : engines_(std::move(engines)) {}
  std::string_view name() const override { return "reinplace"; }
  std::span<const std::string_view> anchors() const override;
  Result<bool> Run(Node& node, Rewriter& rewriter) override;
  std::string WhyNot(const Node& node, const Rewriter& rewriter) const override;

 private:
  EngineList engines_;
};

}  // namespace ge
