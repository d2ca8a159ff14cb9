#pragma once
// Who watches the tasks of a call: the node check of its model, torch.profiler, a trace. Nobody, most of the time.
#include "npu_runtime/trace.h"

namespace ge::torch_backend {

// Begins a trace of all calls in the process; an error if one is running.
Status StartTrace();
// Ends it: its JSON. Calls that are under way still go into it, unseen.
Result<std::string> StopTrace();

// The observers of one call, one after another; they live as long as this.
class TaskObservers {
 public:
  // `check`: the model's own hook, or null.
  explicit TaskObservers(TaskHook* check) : hook_(check) {
    if (Watched()) Add(check);
  }
  ~TaskObservers() {
    if (others_) Remove();
  }
  TaskObservers(const TaskObservers&) = delete;
  TaskObservers& operator=(const TaskObservers&) = delete;
  // Null: nobody watches.
  TaskHook* hook() const { return hook_; }

 private:
  static bool Watched();  // by the profiler or a trace
  void Add(TaskHook* check);
  void Remove();

  struct Others;
  TaskHook* hook_;
  Others* others_ = nullptr;  // owned; a bare pointer, so that a call that nobody watches only compares it
};

}  // namespace ge::torch_backend
