#pragma once
// Planning: an optimised module to a CompiledModel. Places nodes on engines, separates the constant stage, computes live
// ranges through aliases, and lays out the arena.
#include "ge_core/compile/model.h"
#include "ge_core/passes/constant_stage.h"

namespace ge {

// Takes the module. `engines` in placement order. Fails, naming node and Python line, if a node finds no engine: every
// engine's reason is in the message.
GE_API Result<CompiledModel> Compile(std::unique_ptr<Module> module, const EngineList& engines, const FoldOptions& fold = {});

// The engine that placement picks for a node; null with `why` filled if there is none. Control flow and the skeleton
// have none (the runtime runs them).
GE_API const Engine* PlaceNode(const Node& node, const EngineList& engines, std::string* why);

}  // namespace ge
