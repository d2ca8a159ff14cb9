#pragma once
// LoadedModel: a CompiledModel made ready to run. Load resolves every kernel once; a run is a loop over executables.
//
// A LoadedModel is immutable after Load and entered by several threads at once: each run takes an execution context
// (arena, slots) from a pool. Weight-dependent constants (packed weights) live in a WeightSet, made at the first call with
// a given set of weights and kept by the caller, who knows when weights change.
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
};

// Constant-stage values of one set of weights. Read-only once made.
class GE_API WeightSet {
 public:
  const std::byte* data() const { return buffer_.data(); }

 private:
  friend class LoadedModel;
  Buffer buffer_;
};

class GE_API LoadedModel {
 public:
  static Result<std::unique_ptr<LoadedModel>> Load(std::shared_ptr<const CompiledModel> model, Device& device);
  ~LoadedModel();

  const CompiledModel& model() const;
  const GraphPlan& plan() const;  // of the entry graph

  // Runs the constant stage on the given inputs (only weight inputs are read). Needed when plan().weight_tasks is not empty.
  Result<std::shared_ptr<WeightSet>> MakeWeightSet(std::span<Slot> inputs, RunHost& host, int num_threads,
                                                   std::exception_ptr* exception) const;

  // One run of the entry graph. Takes the input slots' objects (an input is released after its last use). `outputs` are
  // filled in order; a value returned twice shares its object. Code::kForeign: *exception holds what an engine caught.
  Status Run(std::span<Slot> inputs, std::vector<Slot>& outputs, const WeightSet* weights, RunHost& host, int num_threads,
             std::exception_ptr* exception) const;

  struct Loaded;  // one graph; loaded_model.cc

 private:
  LoadedModel() = default;
  std::shared_ptr<const CompiledModel> model_;
  Device* device_ = nullptr;
  std::map<std::string, std::unique_ptr<Loaded>, std::less<>> graphs_;
  Loaded* entry_ = nullptr;
};

}  // namespace ge
