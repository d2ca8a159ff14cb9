#pragma once
// DeleteNoConstFoldPass: takes the mark no_need_constant_folding off AscendWeightQuant. Quantisation sets it, so that the
// passes between it and fusion leave the operator whole; from fusion on, folding may treat it like any other. Seed 000
// section 4.7.
#include "ge_core/passes/pass.h"

namespace ge {

class GE_API DeleteNoConstFoldPass final : public NodePass {
 public:
  std::string_view name() const override { return "delete-no-const-fold"; }
  std::span<const std::string_view> anchors() const override;
  Result<bool> Run(Node& node, Rewriter& rewriter) override;
};

}  // namespace ge
