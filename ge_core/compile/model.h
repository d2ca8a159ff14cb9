#pragma once
// CompiledModel: the result of compilation as plain data. Who runs what, in which order, in which memory.
#include <map>

#include "ge_core/ir/engine.h"

namespace ge {

// Where a value's memory comes from at run time.
enum class Storage : uint8_t {
  kNone,    // sym, opaque, or a value nobody reads: the slot itself
  kInput,   // the caller's tensor
  kConst,   // a constant of the graph
  kCopy,    // a constant that may leave the graph: copied into fresh memory at each run, never handed out itself
  kEngine,  // the engine allocates it (ATen)
  kArena,   // offset in the arena
  kWeight,  // made once per weight set by a task of the constant stage, in memory of the set
  kHeld,    // the same, by an engine that allocates: the set holds its object
  kFresh,   // allocated per run through the caller's allocator: it may leave the graph
};

struct ValuePlan {
  const Value* value = nullptr;
  Storage storage = Storage::kNone;
  int64_t offset = 0;  // kArena
  int64_t bytes = 0;   // dense size of a static tensor, or what the engine asks for; else 0
  int alias_of = -1;   // kArena: the value whose memory this is, made by a node that never runs; -1: its own
};

struct TaskPlan {
  const Node* node = nullptr;
  const Engine* engine = nullptr;  // null: the runtime itself (control flow)
  std::vector<int> inputs;         // indices into GraphPlan::values, -1 = absent
  std::vector<int> outputs;
  std::vector<int> release;  // values whose last use this task is
};

// How a call uses an input that the constant stage reads.
enum class WeightUse : uint8_t { kStageOnly, kReads, kMayReturn };

struct GraphPlan {
  const Graph* graph = nullptr;
  std::vector<ValuePlan> values;
  std::vector<int> inputs;             // value index of Data 0..n-1
  std::vector<int> outputs;            // value index of NetOutput's operands
  std::vector<TaskPlan> weight_tasks;  // the constant stage, see ge_core/passes/constant_stage.h
  std::vector<TaskPlan> tasks;
  std::vector<int> weight_inputs;      // Data indices that weight_tasks read
  std::vector<WeightUse> weight_uses;  // beside weight_inputs
  std::vector<int> weight_values;      // results of weight_tasks that tasks read
  // Nodes whose operands are all known before the first call and that run at each call all the same -> why.
  std::map<std::string, std::string, std::less<>> why_at_call;
  // The value whose memory value v is: itself, or what a view that never runs is of.
  int MemoryOf(int v) const {
    const int other = values[static_cast<size_t>(v)].alias_of;
    return other < 0 ? v : other;
  }
  int64_t arena_bytes = 0, arena_lower_bound_bytes = 0, weight_bytes = 0, const_bytes = 0;
};

struct CompiledModel {
  std::unique_ptr<Module> module;
  std::map<std::string, GraphPlan, std::less<>> plans;  // by graph name
  const GraphPlan& entry() const { return plans.find(module->entry().name())->second; }
  // Node name -> why placement gave it to which engine, and what the engines asked before said.
  std::map<std::string, std::string> placement;
};

}  // namespace ge
