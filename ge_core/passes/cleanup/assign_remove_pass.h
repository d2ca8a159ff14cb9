#pragma once
// AssignRemovePass: a write that nobody can see goes. Two cases:
//   a value written onto itself: Assign(%x, %x);
//   a write to a graph input that the next write covers, with no reader in between:
//
//     before                                     after
//       %a = Assign(%x, %u) : f32[4]               %0 = Assign(%a0, %a2) : f32[4]
//       %b = Assign(%a, %v) : f32[4]               return %0
//       return %b
//
// The later write takes over what the earlier one waited for, so that readers of the old value still come first. A node
// with effects between the two may look at the memory by ways that the graph does not show: then both stay. Bit-exact.
#include "ge_core/passes/pass.h"
#include "ge_core/passes/rewriter.h"

namespace ge {

class GE_API AssignRemovePass final : public NodePass {
 public:
  std::string_view name() const override { return "assign-remove"; }
  std::span<const std::string_view> anchors() const override;
  Result<bool> Run(Node& node, Rewriter& rewriter) override;
  std::string WhyNot(const Node& node, const Rewriter& rewriter) const override;

 private:
  struct Decision {
    bool onto_itself = false;
    Node* later = nullptr;  // the write that covers this one
    std::string why_not;
  };
  Decision Decide(const Node& node) const;
};

}  // namespace ge
