#include "npu_runtime/stream_schedule.h"

#include <algorithm>
#include <unordered_map>

namespace ge {

std::vector<int> AliasClasses(const GraphPlan& plan) {
  std::vector<int> root(plan.values.size());
  for (size_t i = 0; i < root.size(); ++i) root[i] = static_cast<int>(i);
  const auto find = [&](int v) {
    while (root[static_cast<size_t>(v)] != v) v = root[static_cast<size_t>(v)] = root[static_cast<size_t>(root[static_cast<size_t>(v)])];
    return v;
  };
  for (const TaskPlan& t : plan.tasks) {
    if (!t.node->may_alias_inputs()) continue;
    for (int out : t.outputs)
      for (int in : t.inputs) {
        if (in < 0) continue;
        const int a = find(out), b = find(in);
        root[static_cast<size_t>(std::max(a, b))] = std::min(a, b);
      }
  }
  for (size_t i = 0; i < root.size(); ++i) {
    const int a = find(static_cast<int>(i)), b = find(plan.MemoryOf(static_cast<int>(i)));
    root[static_cast<size_t>(std::max(a, b))] = std::min(a, b);
  }
  for (size_t i = 0; i < root.size(); ++i) root[i] = find(static_cast<int>(i));
  return root;
}

std::vector<std::vector<int>> TaskDependencies(const GraphPlan& plan) {
  const std::vector<int> root = AliasClasses(plan);
  std::vector<std::vector<int>> needs(plan.tasks.size());
  std::vector<int> producer(plan.values.size(), -1);
  std::unordered_map<const Node*, int> by_node;  // looked up only
  struct Accesses {
    int writer = -1;             // the last impure one
    std::vector<int> all;        // every one so far
    size_t since_write = 0;      // where those after the writer begin
  };
  std::vector<Accesses> classes(plan.values.size());
  std::vector<int> in_arena;  // born so far
  int last_effect = -1;
  for (size_t i = 0; i < plan.tasks.size(); ++i) {
    const TaskPlan& t = plan.tasks[i];
    const int task = static_cast<int>(i);
    std::vector<int>& n = needs[i];
    for (int v : t.inputs)
      if (const int made = v < 0 ? -1 : producer[static_cast<size_t>(plan.MemoryOf(v))]; made >= 0) n.push_back(made);
    for (const Node* c : t.node->control_inputs())
      if (auto it = by_node.find(c); it != by_node.end()) n.push_back(it->second);
    for (int v : t.outputs) {
      const ValuePlan& value = plan.values[static_cast<size_t>(v)];
      if (value.storage != Storage::kArena || value.bytes == 0) continue;
      for (int w : in_arena) {
        const ValuePlan& other = plan.values[static_cast<size_t>(w)];
        if (value.offset >= other.offset + other.bytes || other.offset >= value.offset + value.bytes) continue;
        const std::vector<int>& users = classes[static_cast<size_t>(root[static_cast<size_t>(w)])].all;
        n.insert(n.end(), users.begin(), users.end());
      }
    }
    const bool effect = !t.node->pure();
    if (effect && last_effect >= 0) n.push_back(last_effect);
    const auto touch = [&](int v) {
      if (v < 0) return;
      Accesses& c = classes[static_cast<size_t>(root[static_cast<size_t>(v)])];
      if (c.writer >= 0) n.push_back(c.writer);
      if (effect) n.insert(n.end(), c.all.begin() + static_cast<std::ptrdiff_t>(c.since_write), c.all.end());
    };
    for (int v : t.inputs) touch(v);
    for (int v : t.outputs) touch(v);
    const auto note = [&](int v) {
      if (v < 0) return;
      Accesses& c = classes[static_cast<size_t>(root[static_cast<size_t>(v)])];
      if (c.all.empty() || c.all.back() != task) c.all.push_back(task);
      if (effect) c.writer = task, c.since_write = c.all.size();
    };
    for (int v : t.inputs) note(v);
    for (int v : t.outputs) {
      note(v);
      producer[static_cast<size_t>(v)] = task;
      if (plan.values[static_cast<size_t>(v)].storage == Storage::kArena) in_arena.push_back(v);
    }
    if (effect) last_effect = task;
    by_node.emplace(t.node, task);
    std::erase(n, task);
    std::ranges::sort(n);
    n.erase(std::unique(n.begin(), n.end()), n.end());
  }
  return needs;
}

StreamSchedule MakeStreamSchedule(const GraphPlan& plan, int max_streams) {
  const std::vector<std::vector<int>> needs = TaskDependencies(plan);
  const size_t tasks = plan.tasks.size(), streams = static_cast<size_t>(std::max(max_streams, 1));
  StreamSchedule s{.num_streams = 0, .stream = std::vector<int>(tasks), .waits = std::vector<std::vector<int>>(tasks)};
  std::vector<int> tail(streams, -1);  // the last task of each stream
  // done[t][k]: the last task of stream k that has ended when t has.
  std::vector<std::vector<int>> done(tasks, std::vector<int>(streams, -1));
  for (size_t t = 0; t < tasks; ++t) {
    size_t best = streams;
    for (size_t k = 0; k < streams; ++k)  // where the latest task that it needs is the last one
      if (tail[k] >= 0 && std::ranges::binary_search(needs[t], tail[k]) && (best == streams || tail[k] > tail[best])) best = k;
    if (best == streams)  // else where nothing ran for longest
      best = static_cast<size_t>(std::ranges::min_element(tail) - tail.begin());
    std::vector<int>& own = done[t];
    if (tail[best] >= 0) own = done[static_cast<size_t>(tail[best])];
    for (size_t i = needs[t].size(); i-- > 0;) {  // later ones first: they imply earlier ones
      const int d = needs[t][i];
      const auto k = static_cast<size_t>(s.stream[static_cast<size_t>(d)]);
      if (own[k] >= d) continue;
      s.waits[t].push_back(d);
      for (size_t j = 0; j < streams; ++j) own[j] = std::max(own[j], done[static_cast<size_t>(d)][j]);
    }
    own[best] = static_cast<int>(t);
    tail[best] = static_cast<int>(t);
    s.stream[t] = static_cast<int>(best);
    s.num_streams = std::max(s.num_streams, static_cast<int>(best) + 1);
    std::ranges::sort(s.waits[t]);
  }
  s.num_streams = std::max(s.num_streams, 1);
  return s;
}

}  // namespace ge
