#pragma once
// Placement: which engine gets a node. Engines are asked in order; the first that supports the node, and whose kernel builder has
// nothing against it, wins.
//
// Engines without kernels (DNN_VM_GE_LOCAL) take two kinds of nodes. The skeleton and control flow, which the runtime carries out
// itself: nobody else is asked. And views: there the result must be the operand's memory, known before the run and row-major on
// both sides; where it is not, the next engine makes the view at run time.
#include "ge_core/compile/pass_states.h"

namespace ge {

struct Placement {
  const Engine* engine = nullptr;  // null: a node of the runtime, and no engine for such nodes is present
  std::string refusals;            // of the engines asked before: "jit: why; onednn: why"
  int alias_input = -1;            // the node never runs: its result is the memory of this input
  std::vector<int64_t> bytes;      // by output: what the builder asks for, -1 where it does not; may be empty
};

class Placer {
 public:
  // Borrows all; `passes` may be null. A builder may set attributes of nodes of `graph`.
  Placer(Graph& graph, const EngineList& engines, const PassStates* passes) : graph_(graph), engines_(engines), passes_(passes) {}

  // Why the result of the node cannot lie in the memory of the value, empty if it can: what the memory planner knows.
  using WhyNotShared = std::function<std::string(const Node&, const Value&)>;

  // Unimplemented if no engine takes the node, with every engine's reason; else what a builder answered.
  Result<Placement> Place(Node& node, const WhyNotShared& why_not_shared) const;

 private:
  Result<Support> AskBuilder(const Engine& engine, Node& node, const WhyNotShared& why_not_shared, Placement& placement) const;
  Graph& graph_;
  const EngineList& engines_;
  const PassStates* passes_;
};

}  // namespace ge
