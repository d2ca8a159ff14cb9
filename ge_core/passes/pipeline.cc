#include "ge_core/passes/pipeline.h"

#include "ge_core/base/str.h"

namespace ge {
namespace {

// Stages follow seed 000 section 4.6. The order fold, dead code, common subexpressions, fold, dead code of seed 003
// section 2.4 is Prepare and the three steps of OptimizeStage1 read together. Node passes that stand next to each other
// share one work list: at each node they are tried in this order, until nothing changes.

constexpr PipelineEntry kPrepare[] = {
    {"inline-partitioned-call", "before all others, which then see through the call"},
    {"switch-dead-branch-elimination", "nothing is inferred or folded in a branch that never runs"},
    {"cond-remove", "and a branch that always runs is inferred and folded with what surrounds it"},
    {"merge-remove", "after the branches that it joined are gone"},
    {"infer-shape", "types first: everything after it asks for static shapes"},
    {"replace-with-empty-const", "known whatever its operands are; a mark does not disturb the inference around it", true},
    {"dimension-compute", "gives the shape operands their values, which inference reads through the marks", true},
    {"constant-clip", "before the fold that would round its constants to infinities"},
    {"constant-folding", "shape arithmetic on constants and marks"},
    {"infer-value-range", "what is no constant may have one value only; the next pass folds that too"},
    {"potential-const-taken-effect", "when nothing else is found: the marks become constants, and users are looked at again"},
    {"dead-code-elimination", "the importer may leave nodes that only shapes depended on"},
    {"remove-unused-subgraphs", "the branches that never run: what they call may now have one caller"},
};
constexpr PipelineEntry kOptimizeStage1_1[] = {
    {"common-subexpression-elimination", "after the clean-up of Prepare, so that only live nodes are compared; equal constants merge too"},
    {"inline-partitioned-call", "of two equal calls one is left, perhaps the only one of its subgraph"},
};
constexpr PipelineEntry kOptimizeStage1_2[] = {
    {"switch-dead-branch-elimination", "merging may have made a predicate constant"},
    {"merge-remove", "and its branches meet nowhere"},
    {"identity-remove", "before the rules that look at producers, which identities hide"},
    {"no-op-remove", "it hides producers as well"},
    {"cast-remove", "before folding: a cast that goes need not be computed"},
    {"transpose-merge", "before the products absorb transposes in Fusion: one of two may be left, or none"},
    {"reshape-merge", "views first, so that element-wise rules see neighbours"},
    {"broadcast-remove", "after the views around it have gone"},
    {"infer-shape", "merging and folding may have closed an open shape"},
    {"replace-with-empty-const", "before computing: it needs no values"},
    {"dimension-compute", "before folding, whose operands it provides"},
    {"constant-clip", "before the fold that would round its constants to infinities"},
    {"constant-folding", "merging can bring the last operands of a node together"},
    {"dimension-adjust", "what could be folded is gone"},
    {"dim1-transpose-to-reshape", "last: a transpose that a neighbour cancels is better gone than a reshape"},
    {"useless-control-edges", "when the nodes are settled: folding and removal hand edges on"},
};
constexpr PipelineEntry kOptimizeStage1_3[] = {
    {"subgraph-const-migration", "after folding: operands that became constants count"},
    {"unused-args-clean", "then: whatever a subgraph reads now, it reads for a reason"},
    {"ctrl-edge-transfer", "folding left control edges on constants, which keep their readers out of every pattern"},
    {"dead-code-elimination", "what folding and merging left over"},
    {"remove-unused-subgraphs", "a removed call may have been the last user of its subgraph"},
    {"inline-partitioned-call", "or may have left one caller"},
};
// Quantisation (none is built in) runs here: after the graph passes, which it must not see undone, and before fusion, whose
// rules match what it inserts (seed 003 section 4).
constexpr PipelineEntry kFusion[] = {
    {"delete-no-const-fold", "first: what quantisation kept whole is open to folding from here on"},
    {"matmul-transpose", "after clean-up: a transpose that CSE merged is absorbed by all its products"},
    {"conv-batch-norm-fold", "after clean-up: between a convolution and its normalisation there is nothing left to look through"},
    {"conv-scale-fold", "with its neighbours on one list: a chain of scalings and shifts behind a convolution goes in any order"},
    {"conv-bias-fold", "see conv-scale-fold; before any rule that matches a convolution with its bias"},
    {"linear-batch-norm-fold", "after matmul-transpose, so that the weight itself is changed, not a view of it"},
    {"dead-code-elimination", "the absorbed transposes"},
};
constexpr PipelineEntry kOptimizeStage2[] = {
    {"constant-folding", "fusion rules create computations on constants"},
    {"cond-remove", "a predicate that is constant only now"},
    {"identity-remove", "and identities"},
    {"cast-remove", "and casts around what they replace"},
    {"transpose-merge", "and transposes"},
    {"reshape-merge", "and reshapes"},
    {"assign-remove", "late: rules above may take the last reader between two writes"},
    {"dimension-adjust", "fusion rules create axis operators"},
    {"useless-control-edges", "nodes are settled"},
    {"common-subexpression-elimination", "fusion rules may produce equal nodes, for example one transposed weight twice"},
    {"dead-code-elimination", "last clean-up before placement"},
    {"remove-unused-subgraphs", "as after OptimizeStage1"},
    {"inline-partitioned-call", "what is left over may have one caller now"},
};
constexpr PipelineEntry kLayout[] = {
    {"weight-compress-judge", "on the final weights, before they are split or packed"},
    {"decompose-large-const", "before prepack: a weight in parts is joined at the call, so no packed layout may be promised for it"},
    {"layout-assignment", "on the final products and what ties them together; before fusion, which sees the layouts it will run with"},
    {"winograd", "after layout-assignment, whose order of channels it needs; before the epilogues, of which it takes fewer"},
    {"epilogue-fusion", "before prepack: the packed layout is that of the primitive with its epilogue"},
    {"prepack", "once, on the final products: every later rewrite would have to know packed layouts"},
};
constexpr PipelineEntry kBeforeAutofuse[] = {
    {"constant-clip", "before the fold that would round its constants to infinities"},
    {"constant-folding", "a fused region must not contain what can be known now"},
    {"ctrl-edge-transfer", "a control edge keeps a node out of fused regions; folding left edges on constants"},
    {"useless-control-edges", "and may have handed on some that say nothing"},
    {"dead-code-elimination", "nor what nobody reads"},
};
constexpr PipelineEntry kAutofuse[] = {
    {"autofuse", "last of those that move nodes: a fused region is opaque to all other passes"},
    {"reinplace", "when the order is final: it relies on who reads a buffer before the write, and who after it"},
};

constexpr PipelineStage kStages[] = {
    {"Prepare", true, kPrepare},
    {"OptimizeStage1_1", true, kOptimizeStage1_1},
    {"OptimizeStage1_2", true, kOptimizeStage1_2},
    {"OptimizeStage1_3", true, kOptimizeStage1_3},
    {"Fusion", true, kFusion},
    {"OptimizeStage2", true, kOptimizeStage2},
    {"Layout", false, kLayout},
    {"BeforeAutofuse", false, kBeforeAutofuse},
    {"Autofuse", false, kAutofuse},
};

}  // namespace

std::span<const PipelineStage> Pipeline() { return kStages; }

Result<PassManager> BuildPipeline(const PassRegistry& registry, const PassOptions& options, const PassContext& context,
                                  PassManagerOptions manager_options, PassReport* report) {
  manager_options.max_changes = options.max_changes;
  PassManager manager(std::move(manager_options));
  PassContext own = context;
  own.fold = options.fold;
  for (const PipelineStage& stage : kStages) {
    manager.AddStage(std::string(stage.name), stage.repeat);
    for (const PipelineEntry& entry : stage.entries) {
      const PassDef* pass = registry.Find(entry.pass);
      PassOptions::Decision decision = pass ? options.Decide(*pass) : PassOptions::Decision{false, "not registered by this program"};
      own.mark_only = entry.mark_only;
      MadePass made = decision.on ? PassRegistry::Make(*pass, own) : MadePass{};
      if (made) {
        manager.AddPass(std::move(made));
      } else if (report) {
        report->switched_off.push_back(
            {std::string(entry.pass), std::string(stage.name), decision.on ? "what it needs is not present" : decision.why});
      }
    }
  }
  return manager;
}

Result<PassManager> BuildFromNames(std::span<const std::string> names, const PassRegistry& registry, const PassContext& context,
                                   PassManagerOptions manager_options) {
  PassManager manager(std::move(manager_options));
  manager.AddStage("passes", false);
  for (const std::string& name : names) {
    constexpr std::string_view kMark = "?mark";
    PassContext own = context;
    own.mark_only = name.ends_with(kMark);
    GE_ASSIGN_OR_RETURN(const PassDef* const def,
                        registry.Get(std::string_view(name).substr(0, name.size() - (own.mark_only ? kMark.size() : 0))));
    MadePass made = PassRegistry::Make(*def, own);
    if (!made) return FailedPrecondition(StrCat("pass '", name, "' cannot run here: what it needs is not present"));
    manager.AddPass(std::move(made));
  }
  return manager;
}

}  // namespace ge
