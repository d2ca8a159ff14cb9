#pragma once
// Private to npu_runtime: one loaded graph and its execution contexts.
#include <atomic>

#include "npu_runtime/loaded_model.h"
#include "npu_runtime/stream_schedule.h"

namespace ge {

struct RunState {
  RunHost& host;
  int num_threads;
  std::exception_ptr* exception;
  TaskHook* hook = nullptr;
  int stream = 0;  // whose thread this is
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
  std::vector<Buffer> constants;  // by value, on a device that cannot read the host's: copies of kConst
  // On a device with streams.
  StreamSchedule schedule;
  std::vector<int> aliases;

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
  // The same between the calls of the hook.
  Status RunObserved(size_t index, Context& context, const RunState& state) const;
  Status CheckCall(size_t inputs, const WeightSet* weights) const;
  // A loop over the tasks in the calling thread.
  Status Run(std::span<Slot> inputs, std::vector<Slot>& outputs, const WeightSet* weights, const RunState& state);
  // The same through the device's memory and streams (device_run.cc).
  Status RunOnDevice(std::span<Slot> inputs, std::vector<Slot>& outputs, const WeightSet* weights, const RunState& state);
  // After loading, for a device that is not host_addressable(): constants, schedule.
  Status PrepareForDevice();
  // Puts the set's values into the slots.
  void PutWeights(const WeightSet* weights, std::span<Slot> slots) const;
  void* ConstantData(size_t value) const;
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

// Bytes from the slot's first element to the end of the last that its strides reach.
int64_t ExtentBytes(const Slot& slot);

// How a caller's `bytes` at `memory` come to the device. A kernel of the device that calls a model gives it device memory.
Device::Direction UploadFrom(const Device& device, const void* memory, int64_t bytes);

// A second owner of what a slot holds. Planned memory is lent: it outlives the borrower.
Slot Lend(const Slot& slot);

// Finds a loaded graph by name; control flow executables hold one.
using GraphFinder = std::function<LoadedModel::Loaded*(std::string_view)>;

// The executable of a control-flow node (If, While, PartitionedCall).
Result<std::unique_ptr<Executable>> LoadControlFlow(const Node& node, const GraphFinder& find);

}  // namespace ge
