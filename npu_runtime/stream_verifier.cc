// The proof behind VerifyStreamSchedule: which tasks follow which, by reachability; then every pair of tasks that share
// something is looked at.
#include <algorithm>
#include <map>

#include "ge_core/base/str.h"
#include "npu_runtime/stream_schedule.h"

namespace ge {
namespace {

class Proof {
 public:
  Proof(const GraphPlan& plan, const StreamSchedule& schedule) : plan_(plan), schedule_(schedule), n_(plan.tasks.size()) {}

  Status Run() {
    GE_RETURN_IF_ERROR(BuildOrder());
    NumberAliases();
    GE_RETURN_IF_ERROR(ProveValues());
    GE_RETURN_IF_ERROR(ProveEffects());
    return ProveArena();
  }

 private:
  std::string Name(size_t t) const {
    const Node& n = *plan_.tasks[t].node;
    return StrCat("task ", t, " ", n.op().name, " '", n.name(), "'", n.loc().empty() ? "" : StrCat(" (", n.loc(), ")"), " on stream ",
                  schedule_.stream[t]);
  }
  bool Before(size_t a, size_t b) const { return before_[b][a]; }
  Status Need(size_t a, size_t b, std::string_view why) const {
    if (Before(a, b)) return {};
    return Internal(StrCat("stream schedule: ", Name(a), " must end before ", Name(b), " starts (", why,
                           "), but neither a stream nor an event orders them"));
  }

  Status BuildOrder() {
    if (schedule_.stream.size() != n_ || schedule_.waits.size() != n_)
      return Internal(StrCat("stream schedule: ", schedule_.stream.size(), " tasks, the plan has ", n_));
    before_.assign(n_, std::vector<bool>(n_));
    std::map<int, size_t> tail;
    for (size_t t = 0; t < n_; ++t) {
      const int stream = schedule_.stream[t];
      if (stream < 0 || stream >= schedule_.num_streams)
        return Internal(StrCat("stream schedule: ", Name(t), ", but there are ", schedule_.num_streams, " streams"));
      const auto follow = [&](size_t earlier) {
        before_[t][earlier] = true;
        for (size_t i = 0; i < earlier; ++i)
          if (before_[earlier][i]) before_[t][i] = true;
      };
      if (auto it = tail.find(stream); it != tail.end()) follow(it->second);
      for (int w : schedule_.waits[t]) {
        if (w < 0 || static_cast<size_t>(w) >= t)
          return Internal(
            StrCat("stream schedule: ", Name(t), " waits for task ", w, ", which is not an earlier one: it may wait for ever"));
        follow(static_cast<size_t>(w));
      }
      tail[stream] = t;
    }
    return {};
  }

  // Spreads the smallest value index through may-alias tasks until nothing changes.
  void NumberAliases() {
    class_.resize(plan_.values.size());
    for (size_t v = 0; v < class_.size(); ++v) class_[v] = v;
    for (bool changed = true; changed;) {
      changed = false;
      for (const TaskPlan& t : plan_.tasks) {
        if (!t.node->may_alias_inputs() || t.outputs.empty()) continue;
        size_t least = class_.size();
        const auto each = [&](auto&& f) {
          for (int v : t.outputs) f(class_[static_cast<size_t>(v)]);
          for (int v : t.inputs)
            if (v >= 0) f(class_[static_cast<size_t>(v)]);
        };
        each([&](size_t& c) { least = std::min(least, c); });
        each([&](size_t& c) { changed |= c != least, c = least; });
      }
      for (size_t v = 0; v < class_.size(); ++v) {  // views that never run
        size_t &a = class_[v], &b = class_[static_cast<size_t>(plan_.MemoryOf(static_cast<int>(v)))];
        changed |= a != b;
        a = b = std::min(a, b);
      }
    }
    users_.resize(plan_.values.size());
    for (size_t t = 0; t < n_; ++t) {
      for (int v : plan_.tasks[t].inputs)
        if (v >= 0) users_[class_[static_cast<size_t>(v)]].push_back(t);
      for (int v : plan_.tasks[t].outputs) users_[class_[static_cast<size_t>(v)]].push_back(t);
    }
  }

  Status ProveValues() {
    std::vector<size_t> producer(plan_.values.size(), n_);
    std::map<const Node*, size_t> task_of;  // looked up only
    for (size_t t = 0; t < n_; ++t) {
      task_of.emplace(plan_.tasks[t].node, t);
      for (int v : plan_.tasks[t].outputs) producer[static_cast<size_t>(v)] = t;
    }
    for (size_t t = 0; t < n_; ++t) {
      for (int v : plan_.tasks[t].inputs)
        if (const size_t made = v < 0 ? n_ : producer[static_cast<size_t>(plan_.MemoryOf(v))]; made < n_)
          GE_RETURN_IF_ERROR(Need(made, t, StrCat("it makes value ", v)));
      for (const Node* c : plan_.tasks[t].node->control_inputs())
        if (auto it = task_of.find(c); it != task_of.end()) GE_RETURN_IF_ERROR(Need(it->second, t, "a control edge"));
    }
    return {};
  }

  Status ProveEffects() {
    for (size_t t = 0; t < n_; ++t) {
      if (plan_.tasks[t].node->pure()) continue;
      for (size_t u = t + 1; u < n_; ++u)
        if (!plan_.tasks[u].node->pure()) GE_RETURN_IF_ERROR(Need(t, u, "both have effects"));
      const auto prove = [&](int v) -> Status {
        for (size_t u : users_[class_[static_cast<size_t>(v)]])
          if (u != t) GE_RETURN_IF_ERROR(Need(std::min(t, u), std::max(t, u), StrCat("one may write value ", v)));
        return {};
      };
      for (int v : plan_.tasks[t].inputs)
        if (v >= 0) GE_RETURN_IF_ERROR(prove(v));
      for (int v : plan_.tasks[t].outputs) GE_RETURN_IF_ERROR(prove(v));
    }
    return {};
  }

  Status ProveArena() {
    struct Owner {
      size_t value, task;
    };
    std::vector<Owner> owners;
    for (size_t t = 0; t < n_; ++t)
      for (int v : plan_.tasks[t].outputs)
        if (const ValuePlan& p = plan_.values[static_cast<size_t>(v)]; p.storage == Storage::kArena && p.bytes > 0)
          owners.push_back({static_cast<size_t>(v), t});
    for (size_t b = 0; b < owners.size(); ++b)
      for (size_t a = 0; a < b; ++a) {
        const ValuePlan &x = plan_.values[owners[a].value], &y = plan_.values[owners[b].value];
        if (std::max(x.offset, y.offset) >= std::min(x.offset + x.bytes, y.offset + y.bytes)) continue;
        const std::string why = StrCat("values ", owners[a].value, " and ", owners[b].value, " share arena bytes from ",
                                       std::max(x.offset, y.offset));
        for (size_t u : users_[class_[owners[a].value]]) GE_RETURN_IF_ERROR(Need(u, owners[b].task, why));
      }
    return {};
  }

  const GraphPlan& plan_;
  const StreamSchedule& schedule_;
  size_t n_;
  std::vector<std::vector<bool>> before_;  // before_[b][a]: a ends before b starts
  std::vector<size_t> class_;              // by value
  std::vector<std::vector<size_t>> users_;  // by class
};

}  // namespace

Status VerifyStreamSchedule(const GraphPlan& plan, const StreamSchedule& schedule) { return Proof(plan, schedule).Run(); }

}  // namespace ge
