#pragma once
// Private to npu_runtime: one loaded graph and its execution contexts.
#include <atomic>

#include "npu_runtime/loaded_model.h"

namespace ge {

struct RunState {
  RunHost& host;
  int num_threads;
  std::exception_ptr* exception;
  TaskHook* hook = nullptr;
};

// Static sizes and strides of a planned value, kept for the slots to point at.
struct StaticDims {
  std::vector<int64_t> sizes, strides;
};

struct LoadedTask {
  const TaskPlan* plan = nullptr;
  std::unique_ptr<Executable> executable;
  std::vector<int> checked;  // positions of inputs whose strides must be checked: the kernel reads raw memory
  int64_t workspace = 0;
};

struct LoadedModel::Loaded {
  const GraphPlan* plan = nullptr;
  std::vector<LoadedTask> weight_tasks, tasks;
  std::vector<StaticDims> dims;                       // by value
  std::vector<std::vector<int>> weight_dependencies;  // beside plan->weight_values: positions in plan->weight_inputs
  std::vector<int> copied_consts;                     // constants that may leave the graph
  std::vector<int> leftovers;                         // values with objects that no task releases
  int64_t workspace_bytes = 0;
  Device* device = nullptr;

  // One run's state. Slots of arena values and constants are set once; the others are filled by each run.
  struct Context {
    Buffer arena, workspace;
    std::vector<Slot> slots;
    std::vector<std::vector<Slot*>> task_inputs, task_outputs;
  };
  Result<std::unique_ptr<Context>> NewContext() const;
  Result<std::unique_ptr<Context>> Acquire();
  void Release(std::unique_ptr<Context> context);

  Status RunTask(const LoadedTask& task, size_t index, Context& context, const RunState& state) const;
  Status Run(std::span<Slot> inputs, std::vector<Slot>& outputs, const WeightSet* weights, const RunState& state);
  void Clear(Context& context) const;

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Context>> pool_;
};

// Runs a task. A kernel that reads raw memory was built for the planned strides; where PyTorch produced others, it reads a copy.
Status RunExecutable(const LoadedTask& task, const LoadedModel::Loaded& graph, std::span<Slot* const> inputs,
                     std::span<Slot* const> outputs, std::byte* workspace, const RunState& state);

// Slots of this storage own an object during a run.
bool HoldsObject(Storage s);

// Finds a loaded graph by name; control flow executables hold one.
using GraphFinder = std::function<LoadedModel::Loaded*(std::string_view)>;

// The executable of a control-flow node (If, While, PartitionedCall).
Result<std::unique_ptr<Executable>> LoadControlFlow(const Node& node, const GraphFinder& find);

}  // namespace ge
