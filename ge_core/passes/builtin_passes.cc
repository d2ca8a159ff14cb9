// The passes of this build, one entry each. The order here means nothing; pipeline.cc orders them.
#include "ge_core/passes/cleanup/common_subexpression_elimination_pass.h"
#include "ge_core/passes/cleanup/dead_code_elimination_pass.h"
#include "ge_core/passes/cleanup/remove_unused_subgraphs_pass.h"
#include "ge_core/passes/fusion/matmul_transpose_pass.h"
#include "ge_core/passes/layout/prepack_pass.h"
#include "ge_core/passes/pass_registry.h"

namespace ge {
namespace {

template <typename P>
std::unique_ptr<GraphPass> Make(const PassContext&) {
  return std::make_unique<P>();
}

std::unique_ptr<GraphPass> MakeConstantFolding(const PassContext& c) {
  if (!c.evaluator) return nullptr;
  return std::make_unique<ConstantFoldingPass>(c.evaluator, c.fold, c.fold_report);
}

std::unique_ptr<GraphPass> MakePrepack(const PassContext& c) {
  if (c.engines.empty()) return nullptr;
  return std::make_unique<PrepackPass>(c.engines);
}

}  // namespace

PassRegistry PassRegistry::WithBuiltins() {
  PassRegistry registry;
  auto add = [&](PassEntry entry) { GE_CHECK(registry.Add(std::move(entry)).ok(), "two built-in passes share a name"); };
  add({"constant-folding",
       {"ConstantFoldingPass", "fold"},
       OptLevel::kO1,
       "ge.oo.constantFolding",
       "Computes pure nodes whose operands are all constants.",
       MakeConstantFolding});
  add({"dead-code-elimination",
       {"DeadCodeEliminationPass", "dce", "PrunePass"},
       OptLevel::kO1,
       "ge.oo.deadCodeElimination",
       "Removes pure nodes that no result and no effect depends on.",
       Make<DeadCodeEliminationPass>});
  add({"remove-unused-subgraphs",
       {"RemoveUnusedSubgraphsPass"},
       OptLevel::kO1,
       "ge.oo.deadCodeElimination",
       "Removes subgraphs that no node names any more.",
       Make<RemoveUnusedSubgraphsPass>});
  add({"common-subexpression-elimination",
       {"CommonSubexpressionEliminationPass", "cse", "RemoveSameConstPass"},
       OptLevel::kO2,
       "",
       "Merges nodes that compute the same.",
       Make<CommonSubexpressionEliminationPass>});
  add({"matmul-transpose",
       {"MatmulTransposePass"},
       OptLevel::kO2,
       "",
       "A matrix product reads a transposed operand itself.",
       Make<MatmulTransposePass>});
  add({"prepack", {"PrepackPass"}, OptLevel::kO2, "", "Weights take the storage layout that their engine likes best.", MakePrepack});
  return registry;
}

}  // namespace ge
