// A run of the entry graph on a device with memory and streams of its own: inputs in, tasks in the order of the stream schedule,
// results and written inputs out. Tasks of subgraphs run inside the control-flow task, on its stream.
#include <cstring>

#include "ge_core/base/str.h"
#include "npu_runtime/arena_checker.h"
#include "npu_runtime/loaded_graph.h"

namespace ge {
namespace {

thread_local bool in_stream_work = false;  // a task that starts a run must not wait for its own stream

// All slots and memory of one run. Everything is allocated before anything is enqueued.
class DeviceRun {
 public:
  DeviceRun(LoadedModel::Loaded& graph, const RunState& state)
      : graph_(graph), plan_(*graph.plan), device_(*graph.device), state_(state), nested_(in_stream_work) {}

  Status Prepare(std::span<Slot> inputs, const WeightSet* weights) {
    GE_ASSIGN_OR_RETURN(arena_, Buffer::Make(device_, plan_.arena_bytes));
    for (int s = 0; s < graph_.schedule.num_streams; ++s) {
      GE_ASSIGN_OR_RETURN(Buffer workspace, Buffer::Make(device_, graph_.workspace_bytes));
      workspaces_.push_back(std::move(workspace));
    }
    slots_.resize(plan_.values.size());
    moved_.resize(plan_.values.size());
    for (size_t v = 0; v < plan_.values.size(); ++v) GE_RETURN_IF_ERROR(PrepareValue(v));
    for (size_t i = 0; i < inputs.size(); ++i) GE_RETURN_IF_ERROR(PrepareInput(static_cast<size_t>(plan_.inputs[i]), inputs[i]));
    graph_.PutWeights(weights, slots_);
    MarkWritten();
    if (device_.checks_arena()) checker_ = std::make_unique<ArenaChecker>(plan_, graph_.aliases, device_, arena_.data());
    return {};
  }

  Status Execute() {
    for (size_t v = 0; v < moved_.size(); ++v)
      if (moved_[v].upload)
        Enqueue(0, [this, &m = moved_[v]] { Copy(UploadFrom(device_, m.upload, m.bytes), m.device.data(), m.upload, m.bytes); });
    const int streams = graph_.schedule.num_streams;
    auto uploaded = std::make_shared<Event>();
    StreamOf(0).Record(uploaded);
    for (int s = 1; s < streams; ++s) StreamOf(s).Wait(uploaded);
    std::vector<std::shared_ptr<Event>> ended(plan_.tasks.size());
    for (const std::vector<int>& waits : graph_.schedule.waits)
      for (int w : waits) ended[static_cast<size_t>(w)] = std::make_shared<Event>();
    for (size_t t = 0; t < plan_.tasks.size(); ++t) {
      const int s = graph_.schedule.stream[t];
      for (int w : graph_.schedule.waits[t]) StreamOf(s).Wait(ended[static_cast<size_t>(w)]);
      Enqueue(s, [this, t, s] { RunTask(t, s); });
      if (ended[t]) StreamOf(s).Record(ended[t]);
    }
    for (int s = 1; s < streams; ++s) {
      auto end = std::make_shared<Event>();
      StreamOf(s).Record(end);
      StreamOf(0).Wait(end);
    }
    for (size_t v = 0; v < moved_.size(); ++v)
      if (moved_[v].download)
        Enqueue(0, [this, &m = moved_[v]] { Copy(Device::Direction::kDeviceToHost, m.download, m.device.data(), m.bytes); });
    StreamOf(0).Synchronize();
    return std::move(error_);
  }

  Status Finish(std::vector<Slot>& outputs) {
    for (Moved& m : moved_) {
      // Only what changed: a write is visible to others, and the memory may be read-only.
      if (m.staging.empty() || std::memcmp(m.staging.data(), m.host.data, m.staging.size()) == 0) continue;
      Slot source = Lend(m.host);
      source.object.reset();
      source.planned = true;
      source.data = m.staging.data();
      GE_RETURN_IF_ERROR(state_.host.WriteBack(m.host, source));
    }
    outputs.clear();
    outputs.reserve(plan_.outputs.size());
    for (int v : plan_.outputs) GE_RETURN_IF_ERROR(HandOut(static_cast<size_t>(v), outputs.emplace_back()));
    return {};
  }

 private:
  // A value with a copy on either side.
  struct Moved {
    bool used = false;
    Buffer device;
    int64_t bytes = 0;
    Slot host;                       // the caller's input, or what a result becomes
    const void* upload = nullptr;    // host memory to copy from, if any
    void* download = nullptr;        // host memory to copy to, if any
    std::vector<std::byte> staging;  // of an input that tasks may write
  };

  Stream& StreamOf(int s) { return nested_ ? immediate_ : device_.stream(s); }

  void Enqueue(int s, std::function<void()> work) {
    StreamOf(s).Enqueue(state_.host.ForOtherThread([this, work = std::move(work)] {
      const bool before = std::exchange(in_stream_work, true);
      if (!failed_) work();
      in_stream_work = before;
    }));
  }

  Status PrepareValue(size_t v) {
    const ValuePlan& p = plan_.values[v];
    const ValueType& t = p.value->type();
    Slot& s = slots_[v];
    s.kind = t.kind();
    s.dtype = t.dtype();
    if (!t.IsStatic()) return {};
    s.ndim = static_cast<int32_t>(t.rank());
    s.sizes = graph_.dims[v].sizes.data();
    s.strides = graph_.dims[v].strides.data();
    switch (p.storage) {
      case Storage::kArena: s.planned = true, s.data = arena_.data() + p.offset; break;
      case Storage::kWeight: s.planned = true; break;
      case Storage::kConst: s.planned = true, s.data = graph_.ConstantData(v); break;
      case Storage::kFresh:
      case Storage::kCopy: {
        Moved& m = moved_[v];
        m.used = true;
        GE_RETURN_IF_ERROR(state_.host.AllocateFresh(t, m.host));
        m.bytes = ExtentBytes(m.host);
        GE_ASSIGN_OR_RETURN(m.device, Buffer::Make(device_, m.bytes));
        s.planned = true;
        s.data = m.device.data();
        if (m.bytes == 0) break;
        m.download = m.host.data;
        if (p.storage == Storage::kCopy) m.upload = p.value->producer()->const_value()->bytes().data();
        break;
      }
      default: break;
    }
    return {};
  }

  Status PrepareInput(size_t v, Slot& given) {
    Slot& s = slots_[v];
    const int64_t bytes = given.kind == ValueType::Kind::kTensor && given.data && given.strides ? ExtentBytes(given) : 0;
    if (bytes == 0) {  // a number, or a tensor that is no plain memory: the engine's own
      s = std::move(given);
      return {};
    }
    Moved& m = moved_[v];
    m.used = true;
    m.host = std::move(given);
    m.bytes = bytes;
    GE_ASSIGN_OR_RETURN(m.device, Buffer::Make(device_, bytes));
    m.upload = m.host.data;
    s = Lend(m.host);
    s.object.reset();
    s.planned = true;
    s.data = m.device.data();
    return {};
  }

  // Inputs that tasks may write come back.
  void MarkWritten() {
    std::vector<uint8_t> written(plan_.values.size());  // by class
    for (const TaskPlan& t : plan_.tasks) {
      if (t.node->pure()) continue;
      for (int v : t.inputs)
        if (v >= 0) written[static_cast<size_t>(graph_.aliases[static_cast<size_t>(v)])] = 1;
    }
    for (int v : plan_.inputs) {
      Moved& m = moved_[static_cast<size_t>(v)];
      if (!m.device.data() || !written[static_cast<size_t>(graph_.aliases[static_cast<size_t>(v)])]) continue;
      m.staging.resize(static_cast<size_t>(m.bytes));
      m.download = m.staging.data();
    }
  }

  void Copy(Device::Direction direction, void* to, const void* from, int64_t bytes) {
    if (Status s = device_.Copy(direction, to, from, bytes); !s.ok()) Fail(std::move(s), nullptr);
  }

  void Fail(Status status, std::exception_ptr exception) {
    if (exception) state_.host.KeepException(exception);
    std::lock_guard lock(error_mutex_);
    if (!error_.ok()) return;  // the first error is the run's
    error_ = std::move(status);
    if (exception && state_.exception) *state_.exception = exception;
    failed_ = true;
  }

  void RunTask(size_t t, int stream) {
    const LoadedTask& task = graph_.tasks[t];
    std::exception_ptr exception;
    Status status = device_.BeforeTask(stream);
    if (!status.ok()) return Fail(std::move(status).Annotate(StrCat("in task ", DescribeTask(*task.plan->node))), nullptr);
    std::unique_lock<std::mutex> alone;
    if (checker_) alone = std::unique_lock(task_mutex_);
    if (failed_) return;
    // Tasks on several streams read one value at a time: each has slots of its own for its operands.
    std::vector<Slot> lent;
    lent.reserve(task.plan->inputs.size());
    std::vector<Slot*> in, out;
    for (int v : task.plan->inputs) {
      lent.push_back(v < 0 ? Slot() : Lend(slots_[static_cast<size_t>(v)]));
      in.push_back(v < 0 ? nullptr : &lent.back());
    }
    for (int v : task.plan->outputs) out.push_back(&slots_[static_cast<size_t>(v)]);
    if (checker_) status = checker_->BeforeTask(*task.plan, lent, out);
    if (status.ok()) {
      if (state_.hook) state_.hook->BeforeTask(plan_, *task.plan, stream);
      const RunState own{state_.host, state_.num_threads, &exception, state_.hook, stream};
      status = RunExecutable(task, graph_, in, out, workspaces_[static_cast<size_t>(stream)].data(), own);
      if (state_.hook) {
        if (status.ok())
          status = state_.hook->AfterTask(plan_, *task.plan, in, out);
        else
          state_.hook->TaskFailed(plan_, *task.plan);
      }
    }
    if (status.ok() && checker_) status = checker_->AfterTask(*task.plan);
    if (status.ok()) status = device_.AfterTask().Annotate(StrCat("after task ", DescribeTask(*task.plan->node)));
    if (!status.ok()) Fail(std::move(status), exception);
  }

  // The value as the caller gets it: on the host, and part of whose memory it was.
  Status HandOut(size_t v, Slot& out) {
    const Slot& s = slots_[v];
    if (plan_.values[v].storage == Storage::kArena)
      return Internal(
          StrCat("a value of ", DescribeTask(*plan_.values[v].value->producer()), " leaves the graph, but its memory is the arena"));
    if (moved_[v].used) {
      out = Lend(moved_[v].host);
      return {};
    }
    out = Lend(s);
    if (s.kind != ValueType::Kind::kTensor) return {};
    const auto* data = static_cast<const std::byte*>(s.data);
    for (Moved& m : moved_) {
      const std::byte* base = m.device.data();
      if (!data || !base || data < base || data >= base + m.bytes) continue;
      out.data = static_cast<std::byte*>(m.host.data) + (data - base);
      out.planned = false;
      return state_.host.MakeView(m.host, out);
    }
    // A view that is no plain memory (of a conjugate) over device memory, or a constant of the device.
    return !data || s.planned || device_.Owns(data, 1) ? state_.host.Clone(out) : Status();
  }

  LoadedModel::Loaded& graph_;
  const GraphPlan& plan_;
  Device& device_;
  const RunState& state_;
  const bool nested_;
  ImmediateStream immediate_;
  Buffer arena_;
  std::vector<Buffer> workspaces_;
  std::vector<Moved> moved_;  // by value
  std::vector<Slot> slots_;   // by value; after the memory, so that tensors over it go first
  std::unique_ptr<ArenaChecker> checker_;
  std::mutex task_mutex_, error_mutex_;
  std::atomic<bool> failed_{false};
  Status error_;
};

}  // namespace

Device::Direction UploadFrom(const Device& device, const void* memory, int64_t bytes) {
  return device.Owns(memory, bytes) ? Device::Direction::kDeviceToDevice : Device::Direction::kHostToDevice;
}

int64_t ExtentBytes(const Slot& s) {
  int64_t elements = 1;
  for (int32_t d = 0; d < s.ndim; ++d) {
    if (s.sizes[d] == 0) return 0;
    elements += (s.sizes[d] - 1) * s.strides[d];
  }
  return elements * static_cast<int64_t>(SizeOf(s.dtype));
}

Status LoadedModel::Loaded::PrepareForDevice() {
  constants.resize(plan->values.size());
  for (size_t v = 0; v < plan->values.size(); ++v) {
    if (plan->values[v].storage != Storage::kConst) continue;
    const auto bytes = plan->values[v].value->producer()->const_value()->bytes();
    const auto count = static_cast<int64_t>(bytes.size());
    GE_ASSIGN_OR_RETURN(constants[v], Buffer::Make(*device, count));
    GE_RETURN_IF_ERROR(device->Copy(Device::Direction::kHostToDevice, constants[v].data(), bytes.data(), count));
  }
  aliases = AliasClasses(*plan);
  schedule = MakeStreamSchedule(*plan, device->num_streams());
  return VerifyStreamSchedule(*plan, schedule);
}

Status LoadedModel::Loaded::RunOnDevice(std::span<Slot> inputs, std::vector<Slot>& outputs, const WeightSet* weights,
                                        const RunState& state) {
  GE_RETURN_IF_ERROR(CheckCall(inputs.size(), weights));
  DeviceRun run(*this, state);
  if (Status s = run.Prepare(inputs, weights); !s.ok())
    return std::move(s).Annotate(StrCat("while getting memory for graph '", plan->graph->name(), "' on ", device->name()));
  GE_RETURN_IF_ERROR(run.Execute());
  return run.Finish(outputs);
}

}  // namespace ge
