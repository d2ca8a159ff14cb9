#pragma once
// NodeCheck: ge.debug.check=node. Runs the graph as it was imported, every node by PyTorch's own kernel, and then compares
// what each task of the optimised graph computes with the value that it stands for. The first that diverges is named.
//
// After each comparison the task's result is replaced by the expected one where its memory is its own. So every node is
// judged on eager's operands: allowed differences of earlier nodes do not add up, and do not flip a comparison or a rounding.
#include "ge_core/passes/change_log.h"
#include "ge_core/passes/value_origins.h"
#include "torch_backend/csrc/value_compare.h"

namespace ge::torch_backend {

class NodeCheck {
 public:
  // `reference`: the module before the passes. `optimised` with its `origins` and `log` is what runs; it outlives the check.
  // `eager`: the engines that run the reference; `aten` is one of them, and runs single nodes again for a diagnosis.
  static Result<std::unique_ptr<NodeCheck>> Make(std::unique_ptr<Module> reference, std::shared_ptr<const CompiledModel> optimised,
                                                 const ValueOrigins& origins, const ChangeLog& log, const EngineList& eager,
                                                 const Engine& aten, Device& device);

  // One checked call. Order of use: Begin, the optimised model's tasks with the call as their hook, Finish. Without the GIL.
  class Call final : public TaskHook {
   public:
    explicit Call(const NodeCheck& check) : check_(check) {}
    // Runs the reference on copies of `inputs`, on the random numbers that the optimised run will draw again. `weights`: beside
    // GraphPlan::weight_inputs, whose slots may be empty. An error of the reference itself is kept for Finish: the optimised
    // graph has to fail too.
    Status Begin(std::span<Slot> inputs, std::span<const at::Tensor> weights, RunHost& host, int num_threads);
    Status AfterTask(const GraphPlan& plan, const TaskPlan& task, std::span<Slot* const> inputs, std::span<Slot* const> outputs) override;
    // Compares results and written inputs.
    Status Finish(std::span<Slot> outputs);

   private:
    friend class NodeCheck;
    const NodeCheck& check_;
    int num_threads_ = 1;
    std::string failed_;                           // what the reference raised; empty: it ran
    std::vector<at::Tensor> inputs_, copies_;      // undefined where there is no tensor to compare
    std::vector<std::optional<Observed>> values_;  // by value of the reference
    std::vector<Slot> outputs_;                    // of the reference
  };

 private:
  struct Target {  // one value of the reference that a value stands for
    int value;
    std::string pass;
  };
  struct Recorder;
  NodeCheck() = default;
  void Aim(const ValueOrigins& origins, const GraphPlan& plan);
  void FindUnwritten(const GraphPlan& plan);
  int ReferenceValue(const ValueOrigins::Origin& origin) const;
  std::string Describe(const Node& node, const Engine* engine) const;
  Status Judge(const Call& call, const TaskPlan& task, int output, const Target& target, const Difference& difference,
               std::span<Slot* const> inputs, std::span<Slot* const> outputs) const;
  Status CompareStart(Call& call) const;

  std::shared_ptr<const CompiledModel> optimised_;
  std::shared_ptr<const CompiledModel> reference_;
  std::unique_ptr<LoadedModel> eager_;
  const Engine* aten_ = nullptr;
  std::vector<std::vector<Target>> targets_;                     // by value of the optimised entry graph
  std::unordered_map<const Value*, std::vector<Target>> inner_;  // values inside fused regions; looked up only
  std::unordered_map<std::string, int> by_name_;                 // ValueOrigins::Key -> value of the reference
  std::vector<bool> needed_;                                     // by value of the reference
  // By value of the reference: fresh memory that nobody has written (torch.empty); computed from such memory. The optimised run
  // gets eager's bytes where it runs the node too; a constant that was folded from it cannot be compared.
  std::vector<bool> unwritten_, murky_;
  std::unordered_map<const Node*, std::string> made_by_, changed_by_;
};

}  // namespace ge::torch_backend
