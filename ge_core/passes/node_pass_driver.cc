#include "ge_core/passes/node_pass_driver.h"

#include <algorithm>
#include <chrono>

#include "ge_core/base/str.h"

namespace ge {
namespace {

using Clock = std::chrono::steady_clock;
double Seconds(Clock::duration d) { return std::chrono::duration<double>(d).count(); }

}  // namespace

// One sweep over the node list, then a queue, first in, first out. A node that the sweep has still to reach is not queued: what
// changes ahead of the sweep costs no second visit. Counts changes, and knows which nodes still exist.
class NodePassDriver::WorkList final : public GraphObserver {
 public:
  explicit WorkList(Graph& graph) : graph_(graph), cursor_(graph.first()), state_(static_cast<size_t>(graph.node_bound())) {
    graph.module().AddObserver(this);
  }
  ~WorkList() override { graph_.module().RemoveObserver(this); }

  // Nothing but what changes from now on is looked at.
  void SkipSweep() {
    cursor_ = nullptr;
    std::fill(state_.begin(), state_.end(), uint8_t{kSwept});
  }

  // The next node, or null.
  Node* Pop() {
    while (Node* n = cursor_) {
      cursor_ = Graph::SweepNext(*n);
      uint8_t& state = StateOf(*n);
      if (state & kSwept) continue;  // made during the sweep: it is in the queue
      state |= kSwept;
      return n;
    }
    while (head_ < queue_.size()) {
      if (head_ > 4096 && head_ * 2 > queue_.size()) {  // give back what has been read
        queue_.erase(queue_.begin(), queue_.begin() + static_cast<std::ptrdiff_t>(head_));
        head_ = 0;
      }
      const Entry entry = queue_[head_++];
      uint8_t& state = state_[static_cast<size_t>(entry.id)];
      state &= static_cast<uint8_t>(~kQueued);
      if (!(state & kErased)) return entry.node;
    }
    return nullptr;
  }
  bool empty() const { return !cursor_ && head_ == queue_.size(); }
  bool alive(int id) const { return !(state_[static_cast<size_t>(id)] & kErased); }
  int64_t changes() const { return changes_; }
  int64_t node_delta() const { return node_delta_; }

  void OnCreate(Node& n) override {
    ++changes_;
    if (&n.graph() != &graph_) return;
    ++node_delta_;
    StateOf(n) |= kSwept;  // wherever it stands, it is looked at from the queue
    Push(&n);
  }
  void OnErase(Node& n) override {
    ++changes_;
    if (&n.graph() != &graph_) return;
    --node_delta_;
    if (&n == cursor_) cursor_ = n.next();
    StateOf(n) |= kErased;
    for (Value* in : n.inputs())
      if (in) Push(in->producer());
  }
  void OnReplace(Value& from, Value& to) override {
    ++changes_;
    if (&from.producer()->graph() != &graph_) return;
    for (const Use& use : from.uses()) Push(use.user);
    Push(to.producer());
  }
  void OnInput(Node& n, int, Value* before) override {
    ++changes_;
    Push(&n);
    if (before) Push(before->producer());
  }
  void OnAttr(Node& n) override {
    ++changes_;
    Push(&n);
  }
  void OnType(Value& v) override {
    ++changes_;
    Push(v.producer());
    for (const Use& use : v.uses()) Push(use.user);
  }
  void OnControl(Node& first, Node& node) override {
    ++changes_;
    Push(&first);
    Push(&node);
  }

 private:
  enum : uint8_t { kSwept = 1, kQueued = 2, kErased = 4 };
  struct Entry {
    Node* node;
    int id;  // readable when the node is gone
  };
  uint8_t& StateOf(const Node& n) {
    const auto id = static_cast<size_t>(n.id());
    if (id >= state_.size()) state_.resize(std::max(id + 1, state_.size() * 2));
    return state_[id];
  }
  void Push(Node* n) {
    if (&n->graph() != &graph_) return;
    uint8_t& state = StateOf(*n);
    if ((state & kQueued) || !(state & kSwept)) return;
    state |= kQueued;
    queue_.push_back({n, n->id()});
  }
  Graph& graph_;
  Node* cursor_;                // the sweep's next node
  std::vector<uint8_t> state_;  // by Node::id()
  std::vector<Entry> queue_;
  size_t head_ = 0;
  int64_t changes_ = 0, node_delta_ = 0;
};

NodePassDriver::NodePassDriver(std::vector<NodePass*> passes) : passes_(std::move(passes)), stats_(passes_.size()) {}
NodePassDriver::~NodePassDriver() = default;

const std::vector<size_t>& NodePassDriver::RulesFor(const Node& node) {
  auto [it, fresh] = by_op_.try_emplace(&node.op());
  if (fresh)
    for (size_t i = 0; i < passes_.size(); ++i) {
      const auto anchors = passes_[i]->anchors();
      if (anchors.empty() ? !node.op().Has(kSkeleton) : std::find(anchors.begin(), anchors.end(), node.op().name) != anchors.end())
        it->second.push_back(i);
    }
  return it->second;
}

bool NodePassDriver::HasAnchors(const Graph& graph) const {
  for (const NodePass* pass : passes_) {
    const auto anchors = pass->anchors();
    if (anchors.empty()) return true;
    for (std::string_view op : anchors)
      if (graph.CountOf(op)) return true;
  }
  return false;
}

Result<NodePassDriver::Outcome> NodePassDriver::Run(Graph& graph, const NodePassLimits& limits) {
  Rewriter rewriter(graph);
  return Run(rewriter, limits);
}

Result<NodePassDriver::Outcome> NodePassDriver::Run(Rewriter& rewriter, const NodePassLimits& limits) {
  Outcome outcome;
  Graph& graph = rewriter.graph();
  WorkList work(graph);
  if (!HasAnchors(graph)) work.SkipSweep();
  std::vector<uint8_t> visits(static_cast<size_t>(graph.node_bound()));
  std::vector<std::string> capped;
  int64_t applied = 0;
  const Clock::time_point start = Clock::now();
  bool out_of_time = false;

  // One rule, at one node or at the end. `node` is null at the end.
  auto apply = [&](size_t rule, Node* node) -> Status {
    NodePass& pass = *passes_[rule];
    if (limits.before_pass) limits.before_pass(pass.name());
    const int64_t changes = work.changes(), delta = work.node_delta();
    std::string name, loc;
    if (node && limits.changed) name = node->name(), loc = node->loc();
    Result<bool> result = node ? pass.Run(*node, rewriter) : pass.Finish(graph, rewriter);
    if (!result.ok()) return std::move(result).status().Annotate(StrCat("while running pass '", pass.name(), "'"));
    const bool changed = work.changes() != changes;
    if (limits.check_changed_flag && changed != *result)
      return Internal(StrCat("pass '", pass.name(), "' ",
                             changed ? "changed the graph, but says that it did not" : "says that it changed the graph, but it did not"));
    if (!changed) return {};
    ++applied;
    ++stats_[rule].changes;
    stats_[rule].node_delta += work.node_delta() - delta;
    outcome.changed = true;
    if (limits.changed) limits.changed(rule, std::move(name), std::move(loc));
    if (limits.after_change) GE_RETURN_IF_ERROR(limits.after_change().Annotate(StrCat("after a change by pass '", pass.name(), "'")));
    return {};
  };
  auto exhausted = [&] { return out_of_time || (limits.max_changes >= 0 && applied >= limits.max_changes); };

  for (int finishes = 0; !exhausted(); ++finishes) {
    int64_t popped = 0;
    while (Node* node = exhausted() ? nullptr : work.Pop()) {
      const std::vector<size_t>& rules = RulesFor(*node);
      if (rules.empty()) continue;
      if ((++popped & 255) == 0 && Seconds(Clock::now() - start) > limits.max_seconds) out_of_time = true;
      const int id = node->id();
      if (static_cast<size_t>(id) >= visits.size()) visits.resize(static_cast<size_t>(graph.node_bound()));
      if (visits[static_cast<size_t>(id)] >= limits.max_visits) {
        if (capped.size() < 3) capped.push_back(node->name());
        continue;
      }
      ++visits[static_cast<size_t>(id)];
      Clock::time_point before = Clock::now();
      for (size_t rule : rules) {
        GE_RETURN_IF_ERROR(apply(rule, node));
        const Clock::time_point after = Clock::now();
        stats_[rule].seconds += Seconds(after - before);
        before = after;
        if (!work.alive(id) || exhausted()) break;
      }
    }
    if (finishes == 8) break;
    for (size_t rule = 0; rule < passes_.size() && !exhausted(); ++rule) GE_RETURN_IF_ERROR(apply(rule, nullptr));
    if (work.empty()) break;
  }
  if (out_of_time) outcome.notes.push_back(StrCat("stopped in graph '", graph.name(), "': over ", limits.max_seconds, " s"));
  if (!capped.empty())
    outcome.notes.push_back(
        StrCat("in graph '", graph.name(), "' ", limits.max_visits, " visits did not settle node '", Join(capped, "', '"), "'"));
  return outcome;
}

}  // namespace ge
