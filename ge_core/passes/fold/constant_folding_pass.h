#pragma once
// ConstantFoldingPass: computes pure nodes whose operands are all constants, and puts the result in their place.
//
//   before                                after
//     %a = Const [1, 2] : f32[2]            %0 = Const [3, 4] : f32[2]     (_is_from_constant_folding = true)
//     %b = Const 2 : f32[]
//     %c = Add(%a, %b) : f32[2]
//
// The value comes from HostCpuEngine: ATen itself where it is present, so that it is bitwise what eager gives. A node
// that raises on its constants (an integer division by zero) stays and raises at run time, as in eager.
#include "ge_core/eval/host_cpu_engine.h"
#include "ge_core/passes/fold/fold_report.h"
#include "ge_core/passes/pass.h"

namespace ge {

struct FoldOptions {
  // A result larger than both this and its operands together stays a computation: folding must not inflate a model.
  int64_t max_growth_bytes = int64_t{1} << 20;
  // Results of nodes without operands (a filled tensor, a range) are cheap to make and dear to store.
  int64_t max_generated_bytes = int64_t{64} << 10;
};

class GE_API ConstantFoldingPass final : public GraphPass {
 public:
  // `engine` is borrowed. `report` is borrowed too and may be null: the pass then keeps its own.
  explicit ConstantFoldingPass(const HostCpuEngine* engine, FoldOptions options = {}, FoldReport* report = nullptr)
      : engine_(engine), options_(options), report_(report ? report : &own_report_) {}

  std::string_view name() const override { return "constant-folding"; }
  Result<bool> Run(Graph& graph) override;
  const FoldReport& report() const { return *report_; }

 private:
  const HostCpuEngine* engine_;
  FoldOptions options_;
  FoldReport own_report_;
  FoldReport* report_;
};

}  // namespace ge
