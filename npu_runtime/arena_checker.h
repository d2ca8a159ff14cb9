#pragma once
// Watches what the tasks of one run do to its arena: reads of values that do not exist yet or no more, writes over values that
// others still read, writes outside the task's plan. Values that nobody reads any more are poisoned. One task at a time.
#include "ge_core/compile/model.h"
#include "npu_runtime/device.h"

namespace ge {

class GE_API ArenaChecker {
 public:
  // `arena`: plan.arena_bytes of memory, which is poisoned. `aliases`: AliasClasses(plan).
  ArenaChecker(const GraphPlan& plan, const std::vector<int>& aliases, const Device& device, std::byte* arena);

  // An error: the task must not run. Poisons the memory of its results.
  Status BeforeTask(const TaskPlan& task, std::span<const Slot> inputs, std::span<Slot* const> outputs);
  // The task has run.
  Status AfterTask(const TaskPlan& task);

 private:
  struct Range {
    int64_t begin, end;
  };
  bool InArena(int v) const { return plan_.values[static_cast<size_t>(v)].storage == Storage::kArena; }
  Range RangeOf(int v) const;
  bool Live(int v) const;
  void Poison(Range r);
  std::string Describe(int v) const;  // value, producer, bytes in the arena
  Status Violation(const TaskPlan& task, std::string what) const;

  const GraphPlan& plan_;
  const std::vector<int>& aliases_;
  const Device& device_;
  std::byte* arena_;
  std::vector<std::byte> expected_;  // what the arena must hold
  std::vector<uint8_t> made_;        // by value: produced by no task, or its task has run
  std::vector<int> accesses_;        // by class: accesses still to come
};

// "Add 'y' (model.py:3)".
std::string DescribeTask(const Node& node);

}  // namespace ge
