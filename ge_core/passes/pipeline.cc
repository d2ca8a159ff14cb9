#include "ge_core/passes/pipeline.h"

#include "ge_core/base/str.h"

namespace ge {
namespace {

// Stages follow seed 000 section 4.6; the order fold, DCE, CSE, fold, DCE follows seed 003 section 2.4.
constexpr PipelineEntry kPrepare[] = {
    {"constant-folding", "shape operands that are constant let every later stage see static shapes"},
    {"dead-code-elimination", "the importer may leave nodes that only shapes depended on"},
};
constexpr PipelineEntry kOptimizeStage1[] = {
    {"constant-folding", "first: constants enable everything after it"},
    {"dead-code-elimination", "folding leaves orphans; fewer nodes make the rest cheaper"},
    {"common-subexpression-elimination", "after clean-up, so that only live nodes are compared"},
    {"constant-folding", "merging can bring the last operands of a node together"},
    {"dead-code-elimination", "what merging and folding left over"},
    {"remove-unused-subgraphs", "a removed call may have been the last user of its subgraph"},
};
constexpr PipelineEntry kFusion[] = {
    {"matmul-transpose", "after clean-up: a transpose that CSE merged is absorbed by all its products"},
    {"dead-code-elimination", "the absorbed transposes"},
};
constexpr PipelineEntry kOptimizeStage2[] = {
    {"constant-folding", "fusion and layout passes create computations on constants"},
    {"common-subexpression-elimination", "fusion rules may produce equal nodes, for example one transposed weight twice"},
    {"dead-code-elimination", "last clean-up before placement"},
};
constexpr PipelineEntry kLayout[] = {
    {"prepack", "once, on the final products: every later rewrite would have to know packed layouts"},
};
constexpr PipelineEntry kBeforeAutofuse[] = {
    {"constant-folding", "a fused region must not contain what can be known now"},
    {"dead-code-elimination", "nor what nobody reads"},
};

constexpr PipelineStage kStages[] = {
    {"Prepare", false, kPrepare}, {"OptimizeStage1", true, kOptimizeStage1},
    {"Fusion", true, kFusion},    {"OptimizeStage2", true, kOptimizeStage2},
    {"Layout", false, kLayout},   {"BeforeAutofuse", false, kBeforeAutofuse},
};

}  // namespace

std::span<const PipelineStage> Pipeline() { return kStages; }

Result<PassManager> BuildPipeline(const PassRegistry& registry, const PassOptions& options, const PassContext& context,
                                  PassManagerOptions manager_options, PassReport* report) {
  PassManager manager(std::move(manager_options));
  for (const PipelineStage& stage : kStages) {
    manager.AddStage(std::string(stage.name), stage.repeat);
    for (const PipelineEntry& entry : stage.entries) {
      const PassEntry* pass = registry.Find(entry.pass);
      PassOptions::Decision decision = pass ? options.Decide(*pass) : PassOptions::Decision{false, "not registered by this program"};
      std::unique_ptr<GraphPass> made = decision.on ? pass->make(context) : nullptr;
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
    GE_ASSIGN_OR_RETURN(std::unique_ptr<GraphPass> pass, registry.Create(name, context));
    manager.AddPass(std::move(pass));
  }
  return manager;
}

}  // namespace ge
