#pragma once
// MatmulTransposePass: a matrix product reads a transposed operand itself. Bit-exact: the same products in the same sums.
//
//   before                                     after
//     %t = Transpose(%w) : f32[8,4]              %0 = MatMulV2(%a0, %a1) {transpose_x2=true} : f32[2,4]
//     %y = MatMulV2(%x, %t) : f32[2,4]           return %0
//     return %y
//
// Only swaps of the two axes of a matrix. The Transpose stays for its other users; dead code elimination removes it.
#include "ge_core/passes/pass.h"

namespace ge {

class GE_API MatmulTransposePass final : public GraphPass {
 public:
  std::string_view name() const override { return "matmul-transpose"; }
  Result<bool> Run(Graph& graph) override;
};

}  // namespace ge
