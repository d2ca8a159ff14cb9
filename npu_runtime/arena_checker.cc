#include "npu_runtime/arena_checker.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "ge_core/base/str.h"
#include "npu_runtime/loaded_graph.h"
#include "npu_runtime/sim_memory.h"

namespace ge {

std::string DescribeTask(const Node& n) {
  return StrCat(n.op().name, " '", n.name(), "'", n.loc().empty() ? "" : StrCat(" (", n.loc(), ")"));
}

ArenaChecker::ArenaChecker(const GraphPlan& plan, const std::vector<int>& aliases, const Device& device, std::byte* arena)
    : plan_(plan),
      aliases_(aliases),
      device_(device),
      arena_(arena),
      expected_(static_cast<size_t>(plan.arena_bytes), std::byte{kPoison}),
      made_(plan.values.size(), 1),
      accesses_(plan.values.size()) {
  if (arena) std::memset(arena, kPoison, expected_.size());
  const auto count = [&](int v) {
    if (v >= 0) ++accesses_[static_cast<size_t>(aliases[static_cast<size_t>(v)])];
  };
  for (size_t v = 0; v < made_.size(); ++v) {  // only a task can make these, even if none does
    const Storage s = plan.values[v].storage;
    if (s == Storage::kArena || s == Storage::kFresh || s == Storage::kEngine) made_[v] = 0;
  }
  for (const TaskPlan& t : plan.tasks) {
    for (int v : t.inputs) count(v);
    for (int v : t.outputs) count(v), made_[static_cast<size_t>(v)] = 0;
  }
}

ArenaChecker::Range ArenaChecker::RangeOf(int v) const {
  const ValuePlan& p = plan_.values[static_cast<size_t>(v)];
  return {p.offset, p.offset + p.bytes};
}

bool ArenaChecker::Live(int v) const {
  return made_[static_cast<size_t>(v)] && accesses_[static_cast<size_t>(aliases_[static_cast<size_t>(v)])] > 0;
}

void ArenaChecker::Poison(Range r) {
  if (r.begin >= r.end) return;
  std::memset(arena_ + r.begin, kPoison, static_cast<size_t>(r.end - r.begin));
  std::memset(expected_.data() + r.begin, kPoison, static_cast<size_t>(r.end - r.begin));
}

std::string ArenaChecker::Describe(int v) const {
  const ValuePlan& p = plan_.values[static_cast<size_t>(v)];
  std::string out = StrCat("value ", v, " of ", DescribeTask(*p.value->producer()));
  if (p.storage == Storage::kArena) out += StrCat(", arena bytes [", p.offset, ", ", p.offset + p.bytes, ") of ", plan_.arena_bytes);
  return out;
}

Status ArenaChecker::Violation(const TaskPlan& task, std::string what) const {
  return Internal(StrCat(device_.name(), ": task ", DescribeTask(*task.node), " of graph '", plan_.graph->name(), "' ", what));
}

Status ArenaChecker::BeforeTask(const TaskPlan& task, std::span<const Slot> inputs, std::span<Slot* const> outputs) {
  for (size_t i = 0; i < task.inputs.size(); ++i) {
    const int v = task.inputs[i];
    if (v < 0) continue;
    const ValuePlan& p = plan_.values[static_cast<size_t>(v)];
    if (!made_[static_cast<size_t>(plan_.MemoryOf(v))]) return Violation(task, StrCat("reads ", Describe(v), ", before that task has run"));
    // An input may have other strides than its dense size tells.
    const int64_t bytes = inputs[i].kind == ValueType::Kind::kTensor && inputs[i].strides ? ExtentBytes(inputs[i]) : p.bytes;
    if (inputs[i].planned && !device_.Owns(inputs[i].data, bytes))
      return Violation(task, StrCat("reads ", Describe(v), ", at an address outside the device's memory"));
  }
  for (size_t i = 0; i < task.outputs.size(); ++i) {
    const int v = task.outputs[i];
    if (outputs[i]->planned && !device_.Owns(outputs[i]->data, plan_.values[static_cast<size_t>(v)].bytes))
      return Violation(task, StrCat("writes ", Describe(v), ", at an address outside the device's memory"));
    if (!InArena(v)) continue;
    const Range r = RangeOf(v);
    if (r.begin < 0 || r.end > plan_.arena_bytes) return Violation(task, StrCat("writes ", Describe(v), ", outside the arena"));
    if (r.begin % 64 != 0) return Violation(task, StrCat("writes ", Describe(v), ", whose address is not a multiple of 64"));
    if (made_[static_cast<size_t>(v)]) return Violation(task, StrCat("writes ", Describe(v), ", which exists already"));
    for (size_t w = 0; w < plan_.values.size(); ++w) {
      const int other = static_cast<int>(w);
      const bool sibling = std::ranges::find(task.outputs, other) != task.outputs.end();
      if (other == v || !InArena(other) || !(sibling || Live(other))) continue;
      const Range o = RangeOf(other);
      if (std::max(r.begin, o.begin) < std::min(r.end, o.end))
        return Violation(task, StrCat("writes ", Describe(v), ", over ", Describe(other), ", which is still needed"));
    }
  }
  for (int v : task.outputs)
    if (InArena(v)) Poison(RangeOf(v));
  return {};
}

Status ArenaChecker::AfterTask(const TaskPlan& task) {
  // What the task may have changed is taken as it is.
  const auto accept = [&](int v) {
    if (v < 0 || !InArena(v)) return;
    const Range r = RangeOf(v);
    if (r.begin < r.end) std::memcpy(expected_.data() + r.begin, arena_ + r.begin, static_cast<size_t>(r.end - r.begin));
  };
  for (int v : task.outputs) accept(v);
  if (!task.node->pure())
    for (size_t v = 0; v < plan_.values.size(); ++v)
      if (InArena(static_cast<int>(v)) && Live(static_cast<int>(v)) &&
          std::ranges::any_of(task.inputs, [&](int i) { return i >= 0 && aliases_[static_cast<size_t>(i)] == aliases_[v]; }))
        accept(static_cast<int>(v));
  Status status;
  if (!expected_.empty() && std::memcmp(expected_.data(), arena_, expected_.size()) != 0) {
    const auto at = static_cast<size_t>(std::mismatch(expected_.begin(), expected_.end(), arena_).first - expected_.begin());
    char address[32];
    std::snprintf(address, sizeof address, "%p", static_cast<void*>(arena_ + at));
    std::string owner = "no live value";
    for (size_t v = 0; v < plan_.values.size(); ++v)
      if (InArena(static_cast<int>(v)) && Live(static_cast<int>(v)) && RangeOf(static_cast<int>(v)).begin <= static_cast<int64_t>(at) &&
          static_cast<int64_t>(at) < RangeOf(static_cast<int>(v)).end)
        owner = Describe(static_cast<int>(v));
    status = Violation(task, StrCat("wrote outside its plan: ", address, ", arena offset ", at, ", belongs to ", owner));
    std::memcpy(arena_, expected_.data(), expected_.size());  // one error is one report
  }
  for (int v : task.outputs) made_[static_cast<size_t>(v)] = 1;
  const auto pass = [&](int v) {
    if (v < 0) return;
    const int c = aliases_[static_cast<size_t>(v)];
    if (--accesses_[static_cast<size_t>(c)] > 0) return;
    for (size_t w = 0; w < plan_.values.size(); ++w)
      if (aliases_[w] == c && InArena(static_cast<int>(w)) && made_[w]) Poison(RangeOf(static_cast<int>(w)));
  };
  for (int v : task.inputs) pass(v);
  for (int v : task.outputs) pass(v);
  return status;
}

}  // namespace ge
