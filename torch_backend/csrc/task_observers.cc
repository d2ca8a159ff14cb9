#include "torch_backend/csrc/task_observers.h"

#include <ATen/record_function.h>

#include "ge_core/base/str.h"

namespace ge::torch_backend {
namespace {

std::atomic<bool> tracing{false};
std::mutex trace_mutex;
std::shared_ptr<Trace> trace;  // under the mutex

// Tasks that this thread has begun and not ended.
thread_local std::vector<std::unique_ptr<at::RecordFunction>> records;

// Tasks as operators of torch.profiler: "ge::<operator> <node>", and whatever else records functions.
class ProfilerHook final : public TaskHook {
 public:
  void BeforeTask(const GraphPlan&, const TaskPlan& task, int) override {
    records.push_back(std::make_unique<at::RecordFunction>(at::RecordScope::FUNCTION));
    if (records.back()->isActive()) records.back()->before(StrCat("ge::", task.node->op().name, " ", task.node->name()));
  }
  void TaskFailed(const GraphPlan&, const TaskPlan&) override { records.pop_back(); }
  Status AfterTask(const GraphPlan&, const TaskPlan&, std::span<Slot* const>, std::span<Slot* const>) override {
    records.pop_back();
    return {};
  }
};

// The first one in the chain sees a task begin first and end last.
class HookChain final : public TaskHook {
 public:
  explicit HookChain(std::vector<TaskHook*> hooks) : hooks_(std::move(hooks)) {}
  void BeforeTask(const GraphPlan& plan, const TaskPlan& task, int stream) override {
    for (TaskHook* h : hooks_) h->BeforeTask(plan, task, stream);
  }
  void TaskFailed(const GraphPlan& plan, const TaskPlan& task) override {
    for (size_t i = hooks_.size(); i-- > 0;) hooks_[i]->TaskFailed(plan, task);
  }
  Status AfterTask(const GraphPlan& plan, const TaskPlan& task, std::span<Slot* const> inputs, std::span<Slot* const> outputs) override {
    Status first;
    for (size_t i = hooks_.size(); i-- > 0;)
      if (Status s = hooks_[i]->AfterTask(plan, task, inputs, outputs); !s.ok() && first.ok()) first = std::move(s);
    return first;
  }

 private:
  std::vector<TaskHook*> hooks_;
};

}  // namespace

Status StartTrace() {
  std::lock_guard lock(trace_mutex);
  if (trace) return FailedPrecondition("a trace is running already; end it first");
  trace = std::make_shared<Trace>();
  tracing = true;
  return {};
}

Result<std::string> StopTrace() {
  std::shared_ptr<Trace> ended;
  {
    std::lock_guard lock(trace_mutex);
    ended = std::exchange(trace, nullptr);
    tracing = false;
  }
  if (!ended) return FailedPrecondition("no trace is running");
  return ended->Json();
}

struct TaskObservers::Others {
  std::shared_ptr<Trace> trace;
  std::unique_ptr<TaskHook> profiler, all;
};

// The second is the question that PyTorch's dispatcher asks at every operator.
bool TaskObservers::Watched() {
  return tracing.load(std::memory_order_relaxed) || at::getStepCallbacksUnlessEmpty(at::RecordScope::FUNCTION).has_value();
}

void TaskObservers::Add(TaskHook* check) {
  others_ = new Others;
  std::vector<TaskHook*> hooks;
  if (check) hooks.push_back(check);
  if (at::hasCallbacks() && at::isRecordFunctionEnabled()) {
    others_->profiler = std::make_unique<ProfilerHook>();
    hooks.push_back(others_->profiler.get());
  }
  {
    std::lock_guard lock(trace_mutex);
    others_->trace = trace;
  }
  if (others_->trace) hooks.push_back(others_->trace.get());
  if (hooks.size() == 1) {
    hook_ = hooks[0];
  } else if (hooks.size() > 1) {
    others_->all = std::make_unique<HookChain>(std::move(hooks));
    hook_ = others_->all.get();
  }
}

void TaskObservers::Remove() { delete others_; }

}  // namespace ge::torch_backend
