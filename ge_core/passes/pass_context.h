#pragma once
// PassContext: what passes may use. Borrowed from the composition root, alive as long as the passes.
#include "ge_core/eval/host_cpu_engine.h"
#include "ge_core/ir/engine.h"
#include "ge_core/passes/fold/fold_options.h"
#include "ge_core/passes/fold/fold_report.h"
#include "ge_core/passes/fold/potential_consts.h"

namespace ge {

struct PassContext {
  const HostCpuEngine* evaluator = nullptr;  // null: passes that evaluate nodes are left out
  EngineList engines;                        // in placement order: layout passes ask their preferences
  FoldOptions fold;
  FoldReport* fold_report = nullptr;            // null: not recorded
  PotentialConsts* potential_consts = nullptr;  // null: passes that mark potential constants are left out
  bool mark_only = false;                       // set by the pipeline entry: mark potential constants, do not fold (need_fold = false)
};

}  // namespace ge
