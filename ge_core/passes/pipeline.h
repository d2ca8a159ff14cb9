#pragma once
// The pipeline: which passes run in which stage, in which order, and why. Read pipeline.cc first.
#include <span>

#include "ge_core/passes/pass_manager.h"
#include "ge_core/passes/pass_options.h"

namespace ge {

struct PipelineEntry {
  std::string_view pass;
  std::string_view reason;  // for its place
  bool mark_only = false;   // marks potential constants instead of folding
};

struct PipelineStage {
  std::string_view name;
  bool repeat;  // to convergence, else once
  std::span<const PipelineEntry> entries;
};

// The whole list, before options take passes out.
GE_API std::span<const PipelineStage> Pipeline();

// Makes the manager for a compile. Passes that an option takes out, for which `context` lacks what they need, or that
// nobody registered are left out and listed in `report` (may be null). Autofuse lies above this library in the include
// tree: the composition root registers its row; without it the stage is empty.
GE_API Result<PassManager> BuildPipeline(const PassRegistry& registry, const PassOptions& options, const PassContext& context,
                                         PassManagerOptions manager_options, PassReport* report);

// A manager that runs the named passes once each, in this order, as one stage: ge-opt --passes=a,b and RUN lines. Node
// passes that follow each other share one work list; "name?mark" runs a pass in mark-only mode.
GE_API Result<PassManager> BuildFromNames(std::span<const std::string> names, const PassRegistry& registry, const PassContext& context,
                                          PassManagerOptions manager_options);

}  // namespace ge
