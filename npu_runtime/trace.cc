#include "npu_runtime/trace.h"

#include <unistd.h>

#include <chrono>
#include <set>

#include "ge_core/base/str.h"

namespace ge {
namespace {

int64_t Now() { return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1); }

struct Started {
  const Trace* trace;
  int64_t at;
  int stream;
};
// Tasks that this thread has begun and not ended: a control-flow task holds those of its subgraphs.
thread_local std::vector<Started> started;

int64_t Bytes(std::span<Slot* const> slots) {
  int64_t total = 0;
  for (const Slot* s : slots) {
    if (!s || s->kind != ValueType::Kind::kTensor || !s->sizes) continue;
    auto bytes = static_cast<int64_t>(SizeOf(s->dtype));
    for (int32_t d = 0; d < s->ndim; ++d) bytes *= s->sizes[d];
    total += bytes;
  }
  return total;
}

std::string Quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) >= 0x20) {
      out += c;
    } else {
      constexpr std::string_view kHex = "0123456789abcdef";
      out += StrCat("\\u00", kHex[static_cast<size_t>(c) >> 4], kHex[static_cast<size_t>(c) & 15]);
    }
  }
  return out + '"';
}

// Nanoseconds as microseconds.
std::string Microseconds(int64_t ns) {
  const std::string rest = std::to_string(1000 + ns % 1000).substr(1);
  return StrCat(ns / 1000, ".", rest);
}

}  // namespace

Trace::Trace(size_t most_tasks) : most_tasks_(most_tasks), origin_ns_(Now()) {}

void Trace::BeforeTask(const GraphPlan&, const TaskPlan&, int stream) { started.push_back({this, Now(), stream}); }

void Trace::TaskFailed(const GraphPlan& plan, const TaskPlan& task) { Note(plan, task, 0, 0, true); }

Status Trace::AfterTask(const GraphPlan& plan, const TaskPlan& task, std::span<Slot* const> inputs, std::span<Slot* const> outputs) {
  Note(plan, task, Bytes(inputs), Bytes(outputs), false);
  return {};
}

void Trace::Note(const GraphPlan& plan, const TaskPlan& task, int64_t read, int64_t written, bool failed) {
  const int64_t end = Now();
  GE_CHECK(!started.empty() && started.back().trace == this, "a task ends that did not begin in this thread");
  const Started begin = started.back();
  started.pop_back();
  const bool of_weights = &task >= plan.weight_tasks.data() && &task < plan.weight_tasks.data() + plan.weight_tasks.size();
  const Node& n = *task.node;
  std::lock_guard lock(mutex_);
  if (events_.size() >= most_tasks_) {
    ++left_out_;
    return;
  }
  events_.push_back({std::string(n.op().name), n.name(), plan.graph->name(), std::string(n.loc()),
                     std::string(task.engine ? task.engine->name() : "runtime"), begin.at - origin_ns_, end - origin_ns_, read, written,
                     static_cast<int64_t>(gettid()), begin.stream, of_weights, failed});
}

std::string Trace::Json() const {
  std::lock_guard lock(mutex_);
  const auto process = static_cast<int64_t>(getpid());
  std::string out = "{\"displayTimeUnit\": \"ns\", \"otherData\": {\"producer\": \"torch_ge\", ";
  out += StrCat("\"tasks\": ", events_.size(), ", \"tasks_left_out\": ", left_out_, "},\n\"traceEvents\": [");
  std::set<int64_t> named;
  bool first = true;
  const auto begin = [&] { out += std::exchange(first, false) ? "\n" : ",\n"; };
  for (const Event& e : events_) {
    if (named.insert(e.thread).second) {
      begin();
      out += StrCat("{\"ph\": \"M\", \"name\": \"thread_name\", \"pid\": ", process, ", \"tid\": ", e.thread,
                    ", \"args\": {\"name\": \"ge stream ", e.stream, ", thread ", e.thread, "\"}}");
    }
    begin();
    out += StrCat("{\"ph\": \"X\", \"name\": ", Quoted(e.op), ", \"cat\": ", Quoted(e.engine), ", \"pid\": ", process, ", \"tid\": ",
                  e.thread, ", \"ts\": ", Microseconds(e.begin_ns), ", \"dur\": ", Microseconds(e.end_ns - e.begin_ns));
    out += StrCat(", \"args\": {\"node\": ", Quoted(e.node), ", \"graph\": ", Quoted(e.graph), ", \"engine\": ", Quoted(e.engine),
                  ", \"stream\": ", e.stream, ", \"bytes_read\": ", e.read, ", \"bytes_written\": ", e.written);
    if (!e.source.empty()) out += StrCat(", \"source\": ", Quoted(e.source));
    if (e.of_weights) out += ", \"stage\": \"weights\"";
    if (e.failed) out += ", \"failed\": true";
    out += "}}";
  }
  return out + "\n]}\n";
}

}  // namespace ge
