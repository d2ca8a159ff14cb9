#pragma once
// LoadedModel: a CompiledModel made ready to run. Load resolves every kernel once; a run is a loop over executables.
//
// A LoadedModel is immutable after Load and entered by several threads at once: each run takes an execution context
// (arena, slots) from a pool. Weight-dependent constants (packed weights) live in a WeightSet, made at the first call with
// a given set of weights and kept by the caller, who knows when weights change.
#include <functional>
#include <map>
#include <mutex>

#include "ge_core/compile/model.h"
#include "npu_runtime/device.h"

namespace ge {

// Services of the embedding program (PyTorch session, plain C++ host) that a run needs.
class GE_API RunHost {
 public:
  virtual ~RunHost();
  // Gives `slot` fresh memory for a value of static `type` that may leave the graph. Fills data, sizes, strides, object.
  virtual Status AllocateFresh(const ValueType& type, Slot& slot) = 0;
  // Makes the slot's tensor plain memory with these strides (copies if it is not), for a kernel that reads raw memory.
  virtual Status Restride(const ValueType& type, std::span<const int64_t> strides, Slot& slot) = 0;
  // Replaces the slot's tensor by a copy of its own.
  virtual Status Clone(Slot& slot) = 0;

  // For devices that are not host_addressable():
  // Fills view.object: a tensor of the slot's dtype, sizes and strides at view.data, which lies in the memory of `base`.
  virtual Status MakeView(const Slot& base, Slot& view) = 0;
  // Writes the elements of `source`, plain memory of the same shape, into the tensor of `target`, as a write that others notice.
  virtual Status WriteBack(Slot& target, const Slot& source) = 0;
  // The same work, for another thread: it sees the thread-local settings of this one.
  virtual std::function<void()> ForOtherThread(std::function<void()> work) { return work; }
  // Called inside such work, in the thread where an engine caught the exception: makes it one that another thread can rethrow.
  virtual void KeepException(const std::exception_ptr& /*exception*/) {}
};

// Looks at every task: debugging (torch_backend/csrc/node_check.h), tracing. Absent in normal runs. On a device with several
// streams it is entered by their threads.
class GE_API TaskHook {
 public:
  virtual ~TaskHook();
  // In the thread that runs the task, before it. Exactly one of AfterTask and TaskFailed follows.
  virtual void BeforeTask(const GraphPlan&, const TaskPlan&, int /*stream*/) {}
  virtual void TaskFailed(const GraphPlan&, const TaskPlan&) {}
  // The task's results are in `outputs`, its operands still in `inputs` (null: absent). Tasks of subgraphs come with the
  // subgraph's plan. An error ends the run and is its result.
  virtual Status AfterTask(const GraphPlan& plan, const TaskPlan& task, std::span<Slot* const> inputs, std::span<Slot* const> outputs) = 0;
};

// Results of the constant stage for one set of weights. Immutable: a set made after some weights changed shares what does
// not depend on them, and a run may go on with the old one.
class GE_API WeightSet {
 public:
  // How many nodes were run to make this set.
  int64_t tasks_run() const { return tasks_run_; }
  // The set without what depends on the weight inputs marked in `gone` (beside GraphPlan::weight_inputs). Good only as
  // `previous` of MakeWeightSet.
  std::shared_ptr<const WeightSet> Without(std::span<const uint8_t> gone) const;

 private:
  friend class LoadedModel;  // and its graphs
  struct Value {
    Slot slot;                                          // planned: into `memory`; else holds the engine's object
    Buffer memory;                                      // of a planned value
    Holder given;                                       // what `memory` is a device's copy of
    std::vector<std::shared_ptr<const Value>> sources;  // what the object may be a view of
  };
  std::vector<std::shared_ptr<const Value>> values_;             // beside GraphPlan::weight_values
  const std::vector<std::vector<int>>* dependencies_ = nullptr;  // of the model: per value, positions in weight_inputs
  int64_t tasks_run_ = 0;
};

class GE_API LoadedModel {
 public:
  static Result<std::unique_ptr<LoadedModel>> Load(std::shared_ptr<const CompiledModel> model, Device& device);
  ~LoadedModel();

  const CompiledModel& model() const;
  const GraphPlan& plan() const;  // of the entry graph

  // Runs the constant stage on the given inputs (only weight inputs are read). Needed when plan().weight_tasks is not empty.
  // With `previous`, a set of this model: takes from it what does not depend on the inputs marked in `changed` (beside
  // GraphPlan::weight_inputs).
  Result<std::shared_ptr<const WeightSet>> MakeWeightSet(std::span<Slot> inputs, RunHost& host, int num_threads,
                                                         std::exception_ptr* exception, const WeightSet* previous = nullptr,
                                                         std::span<const uint8_t> changed = {}, TaskHook* hook = nullptr) const;

  // One run of the entry graph. Takes the input slots' objects (an input is released after its last use). `outputs` are
  // filled in order; a value returned twice shares its object. Code::kForeign: *exception holds what an engine caught.
  Status Run(std::span<Slot> inputs, std::vector<Slot>& outputs, const WeightSet* weights, RunHost& host, int num_threads,
             std::exception_ptr* exception, TaskHook* hook = nullptr) const;

  struct Loaded;  // one graph; loaded_model.cc

 private:
  LoadedModel() = default;
  std::shared_ptr<const CompiledModel> model_;
  Device* device_ = nullptr;
  bool on_host_ = true;  // device_->host_addressable()
  std::map<std::string, std::unique_ptr<Loaded>, std::less<>> graphs_;
  Loaded* entry_ = nullptr;
};

}  // namespace ge
