#pragma once
// Dim1TransposePass: a permutation that only moves axes of extent 1 moves no element. It becomes a Reshape, which merges with
// its neighbours.
//
//   before                                           after
//     %p = Const [0, 2, 1, 3] : i64[4]                 %0 = Const [2, 5, 1, 8] : i64[4]
//     %y = Transpose(%x, %p) : f32[2,5,1,8]            %1 = Reshape(%a0, %0) : f32[2,5,1,8]
//     return ...                  // %x: f32[2,1,5,8]
//
// Left alone: a result that the graph returns, and one whose strides along axes of extent 1 are not those of a row-major
// tensor, unless only reshapes read it (memory formats are read off such strides too). Bit-exact.
#include "ge_core/passes/cleanup/permutation.h"
#include "ge_core/passes/pass.h"
#include "ge_core/passes/pass_context.h"

namespace ge {

class GE_API Dim1TransposePass final : public NodePass {
 public:
  explicit Dim1TransposePass(const PassContext& context) : fold_(context.fold) {}
  std::string_view name() const override { return "dim1-transpose-to-reshape"; }
  std::span<const std::string_view> anchors() const override { return PermutingOps(); }
  Result<bool> Run(Node& node, Rewriter& rewriter) override;
  std::string WhyNot(const Node& node, const Rewriter& rewriter) const override;

 private:
  std::string Refusal(const Node& node, const Rewriter& rewriter) const;
  FoldOptions fold_;
};

}  // namespace ge
