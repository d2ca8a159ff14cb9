#pragma once
// Planning: an optimised module to a CompiledModel. Places nodes on engines, separates the constant stage, computes live
// ranges through aliases, and lays out the arena.
#include "ge_core/compile/model.h"
#include "ge_core/compile/pass_states.h"
#include "ge_core/passes/constant_stage.h"

namespace ge {

// Takes the module. `engines` in placement order. Fails, naming node and Python line, if a node finds no engine: every
// engine's reason is in the message; and if an engine's kernel builder says that a node must not be there. `passes`: what has
// happened to the module before, for such messages; null: nothing is known.
GE_API Result<CompiledModel> Compile(std::unique_ptr<Module> module, const EngineList& engines, const FoldOptions& fold = {},
                                     const PassStates* passes = nullptr);

}  // namespace ge
