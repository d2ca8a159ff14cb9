#pragma once
// Trace: a timeline of tasks, in the JSON form that Chrome's about://tracing and ui.perfetto.dev read. docs/trace.md.
#include <mutex>

#include "npu_runtime/loaded_model.h"

namespace ge {

// A hook for any number of runs, at one time and one after another, from any threads.
class GE_API Trace final : public TaskHook {
 public:
  // Keeps the first `most_tasks` tasks; later ones are counted only.
  explicit Trace(size_t most_tasks = 1'000'000);
  void BeforeTask(const GraphPlan& plan, const TaskPlan& task, int stream) override;
  void TaskFailed(const GraphPlan& plan, const TaskPlan& task) override;
  Status AfterTask(const GraphPlan& plan, const TaskPlan& task, std::span<Slot* const> inputs, std::span<Slot* const> outputs) override;
  // Everything recorded so far. One complete event a task, times in microseconds since the trace was made; its arguments:
  // node, graph, engine, stream, bytes_read, bytes_written, source (the Python line), stage "weights" for tasks that run once a
  // weight set, failed.
  std::string Json() const;

 private:
  // Owns its names: the model may be gone when the trace is written.
  struct Event {
    std::string op, node, graph, source, engine;
    int64_t begin_ns, end_ns, read, written, thread;
    int stream;
    bool of_weights, failed;
  };
  void Note(const GraphPlan& plan, const TaskPlan& task, int64_t read, int64_t written, bool failed);

  const size_t most_tasks_;
  const int64_t origin_ns_;
  mutable std::mutex mutex_;
  std::vector<Event> events_;
  int64_t left_out_ = 0;
};

}  // namespace ge
