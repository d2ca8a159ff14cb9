#pragma once
// TransposeMergePass: a permutation of a permutation is one permutation, and one that moves no axis is nothing.
//
//   before                                                    after
//     %a = Transpose(%x) {dim0=0, dim1=1} : f32[3,2,4]          %0 = Const [1, 2, 0] : i64[3]
//     %p = Const [0, 2, 1] : i64[3]                             %1 = Transpose(%a0, %0) : f32[3,4,2]
//     %b = Transpose(%a, %p) : f32[3,4,2]                       return %1
//     return %b
//
// One form is left, Transpose with the operand perm: TransposeD, Permute and the short forms of Transpose become it, so
// that equal permutations are equal nodes. Views stay views. Bit-exact.
#include "ge_core/passes/cleanup/permutation.h"
#include "ge_core/passes/pass.h"
#include "ge_core/passes/pass_context.h"

namespace ge {

class GE_API TransposeMergePass final : public NodePass {
 public:
  explicit TransposeMergePass(const PassContext& context) : fold_(context.fold) {}
  std::string_view name() const override { return "transpose-merge"; }
  std::span<const std::string_view> anchors() const override { return PermutingOps(); }
  Result<bool> Run(Node& node, Rewriter& rewriter) override;
  std::string WhyNot(const Node& node, const Rewriter& rewriter) const override;

 private:
  struct Decision {
    Value* source = nullptr;  // what the node is to permute; null: leave it
    std::vector<int64_t> perm;
    bool forward = false;  // the result is the source itself
    std::string why_not;
  };
  Decision Decide(const Node& node, const Rewriter& rewriter) const;
  FoldOptions fold_;
};

}  // namespace ge
