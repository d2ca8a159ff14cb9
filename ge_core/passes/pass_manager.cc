#include "ge_core/passes/pass_manager.h"

#include <chrono>

#include "ge_core/base/str.h"
#include "ge_core/passes/fingerprint.h"

namespace ge {
namespace {

using Clock = std::chrono::steady_clock;
double SecondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// Up to this size a module is verified after every application of a rule, not only after every pass.
constexpr size_t kVerifyEachChange = 200;

}  // namespace

// State of one run.
struct PassManager::Session {
  Module& module;
  std::optional<ChangeRecorder> recorder;
  std::optional<OriginRecorder> origins;
  int64_t changes = 0;
  // Passes are functions of the module. What found nothing to do is not run again, in any stage, before something else
  // changed. Node passes end their group at its common fixed point.
  int64_t version = 0;
  std::map<std::string, int64_t, std::less<>> idle_at;  // pass -> version at which it had nothing to do
  // Of the graphs as they are at `version`; a change drops them all, since flags in an alias table are never taken back.
  std::map<const Graph*, std::unique_ptr<Rewriter>> rewriters;
  Rewriter& RewriterOf(Graph& graph) {
    std::unique_ptr<Rewriter>& rewriter = rewriters[&graph];
    if (!rewriter) rewriter = std::make_unique<Rewriter>(graph);
    return *rewriter;
  }
  bool Idle(const std::string& name) const {
    auto it = idle_at.find(name);
    return it != idle_at.end() && it->second == version;
  }

  // The recorders write this name from now on.
  void SetPass(std::string_view pass) {
    if (recorder) recorder->SetPass(pass);
    if (origins) origins->SetPass(pass);
  }
};

size_t CountNodes(const Module& module) {
  size_t count = 0;
  for (const auto& graph : module.graphs()) count += graph->size();
  return count;
}

PassManager::PassManager(PassManagerOptions options) : options_(std::move(options)) {}
PassManager::~PassManager() = default;
PassManager::PassManager(PassManager&&) noexcept = default;

void PassManager::AddStage(std::string name, bool repeat) { stages_.push_back({std::move(name), repeat, {}}); }

void PassManager::AddPass(std::unique_ptr<GraphPass> pass) {
  GE_CHECK(!stages_.empty(), "AddStage comes before AddPass");
  GE_CHECK(pass != nullptr, "AddPass of no pass");
  std::string name(pass->name());
  stages_.back().items.push_back({std::move(pass), {}, {std::move(name)}});
}

void PassManager::AddPass(std::unique_ptr<NodePass> pass) {
  GE_CHECK(!stages_.empty(), "AddStage comes before AddPass");
  GE_CHECK(pass != nullptr, "AddPass of no pass");
  std::vector<Item>& items = stages_.back().items;
  if (items.empty() || items.back().graph) items.emplace_back();
  items.back().names.emplace_back(pass->name());
  items.back().group.push_back(std::move(pass));
}

void PassManager::AddPass(MadePass pass) {
  if (pass.graph)
    AddPass(std::move(pass.graph));
  else
    AddPass(std::move(pass.node));
}

std::vector<const NodePass*> PassManager::node_passes() const {
  std::vector<const NodePass*> out;
  for (const Stage& stage : stages_)
    for (const Item& item : stage.items)
      for (const auto& pass : item.group) out.push_back(pass.get());
  return out;
}

Result<bool> PassManager::RunGraphPass(const Stage& stage, GraphPass& pass, Session& session, StageReport& report) {
  Module& module = session.module;
  const Clock::time_point start = Clock::now();
  const size_t nodes = CountNodes(module);
  const uint64_t before = options_.check_changed_flag ? Fingerprint(module) : 0;
  session.SetPass(pass.name());
  std::vector<std::string> names;  // a pass may add and remove graphs on the way
  for (const auto& graph : module.graphs()) names.push_back(graph->name());
  bool changed = false;
  for (const std::string& name : names) {
    Graph* graph = module.Find(name);
    if (!graph) continue;
    Result<bool> result = pass.Run(*graph);
    if (!result.ok())
      return std::move(result)
          .status()
          .Annotate(StrCat("in graph '", name, "'"))
          .Annotate(StrCat("while running pass '", pass.name(), "' in stage '", stage.name, "'"));
    changed |= *result;
  }
  if (options_.check_changed_flag && (Fingerprint(module) != before) != changed)
    return Internal(StrCat(changed ? "the pass says that it changed the module, but it did not: stages would never converge"
                                   : "the pass changed the module, but says that it did not: the change was not verified",
                           ": while running pass '", pass.name(), "' in stage '", stage.name, "'"));
  if (changed) {
    ++session.changes;
    if (options_.log) options_.log->changes.push_back({std::string(pass.name()), stage.name, {}, {}, {}});
  }
  report.passes.push_back({.pass = std::string(pass.name()),
                           .round = report.rounds,
                           .changes = changed ? 1 : 0,
                           .node_delta = changed ? static_cast<int64_t>(CountNodes(module)) - static_cast<int64_t>(nodes) : 0,
                           .seconds = SecondsSince(start)});
  if (changed && options_.verify)
    GE_RETURN_IF_ERROR(
        options_.verify(module).Annotate(StrCat("the module is invalid after pass '", pass.name(), "' in stage '", stage.name, "'")));
  if (changed && options_.dump) options_.dump(stage.name, pass.name(), module);
  return changed;
}

Result<bool> PassManager::RunGroup(const Stage& stage, const Item& item, Session& session, StageReport& report) {
  Module& module = session.module;
  const std::vector<std::string>& names = item.names;
  std::vector<NodePass*> passes;
  for (const auto& pass : item.group) passes.push_back(pass.get());
  NodePassDriver driver(std::move(passes));
  std::string graph_name;
  NodePassLimits limits{.max_seconds = options_.max_seconds, .check_changed_flag = options_.check_changed_flag};
  if (session.recorder || session.origins) limits.before_pass = [&](std::string_view pass) { session.SetPass(pass); };
  if (options_.log)
    limits.changed = [&](size_t pass, std::string node, std::string loc) {
      options_.log->changes.push_back({names[pass], stage.name, graph_name, std::move(node), std::move(loc)});
    };
  if (options_.verify && CountNodes(module) <= kVerifyEachChange) limits.after_change = [&] { return options_.verify(module); };
  std::vector<std::string> graphs;
  for (const auto& graph : module.graphs()) graphs.push_back(graph->name());
  bool changed = false;
  int64_t counted = 0;
  for (const std::string& name : graphs) {
    Graph* graph = module.Find(name);
    if (!graph) continue;
    if (options_.max_changes >= 0 && session.changes >= options_.max_changes) break;
    limits.max_changes = options_.max_changes < 0 ? -1 : options_.max_changes - session.changes;
    graph_name = name;
    Result<NodePassDriver::Outcome> outcome = driver.Run(session.RewriterOf(*graph), limits);
    if (!outcome.ok()) return std::move(outcome).status().Annotate(StrCat("in graph '", name, "', stage '", stage.name, "'"));
    changed |= outcome->changed;
    if (!outcome->notes.empty()) report.converged = false;
    for (std::string& note : outcome->notes) report.notes.push_back(std::move(note));
    int64_t total = 0;
    for (const NodePassStats& s : driver.stats()) total += s.changes;
    session.changes += total - counted;
    counted = total;
  }
  for (size_t i = 0; i < names.size(); ++i) {
    const NodePassStats& s = driver.stats()[i];
    report.passes.push_back(
        {.pass = names[i], .round = report.rounds, .changes = s.changes, .node_delta = s.node_delta, .seconds = s.seconds});
  }
  const std::string group = Join(names, ", ");
  if (changed && options_.verify)
    GE_RETURN_IF_ERROR(
        options_.verify(module).Annotate(StrCat("the module is invalid after the passes ", group, " in stage '", stage.name, "'")));
  if (changed && options_.dump) options_.dump(stage.name, group, module);
  return changed;
}

Result<bool> PassManager::RunItem(const Stage& stage, const Item& item, Session& session, StageReport& report) {
  return item.graph ? RunGraphPass(stage, *item.graph, session, report) : RunGroup(stage, item, session, report);
}

Status PassManager::RunStage(const Stage& stage, Session& session, StageReport& report) {
  report.stage = stage.name;
  report.nodes_before = report.nodes_after = CountNodes(session.module);
  const Clock::time_point start = Clock::now();
  bool changed = true;
  while (changed) {
    if (report.rounds == 1 && !stage.repeat) break;
    if (report.rounds == options_.max_rounds) {
      report.converged = false;
      report.notes.push_back(StrCat("did not converge within ", options_.max_rounds, " rounds"));
      break;
    }
    ++report.rounds;
    changed = false;
    for (const Item& item : stage.items) {
      bool idle = true;
      for (const std::string& name : item.names) idle = idle && session.Idle(name);
      if (idle) continue;
      if (options_.max_changes >= 0 && session.changes >= options_.max_changes) continue;
      if (SecondsSince(start) > options_.max_seconds) {
        report.converged = false;
        report.notes.push_back(StrCat("stopped in round ", report.rounds, ": over ", options_.max_seconds, " s"));
        changed = false;
        break;
      }
      GE_ASSIGN_OR_RETURN(const bool item_changed, RunItem(stage, item, session, report));
      session.version += item_changed;
      if (item_changed) session.rewriters.clear();
      changed |= item_changed;
      if (item_changed && item.graph) continue;
      for (const std::string& name : item.names) session.idle_at[name] = session.version;
    }
  }
  report.nodes_after = CountNodes(session.module);
  report.seconds = SecondsSince(start);
  if (options_.count_compute) report.compute_after = options_.count_compute(session.module);
  return {};
}

Status PassManager::Run(Module& module, PassReport* report) {
  PassReport own;
  PassReport& out = report ? *report : own;
  Session session{.module = module, .recorder = {}, .origins = {}};
  if (options_.log) session.recorder.emplace(module, *options_.log);
  if (options_.origins) session.origins.emplace(module, *options_.origins);
  const Clock::time_point start = Clock::now();
  for (const Stage& stage : stages_) {
    StageReport& stage_report = out.stages.emplace_back();
    Status status = RunStage(stage, session, stage_report);
    out.seconds = SecondsSince(start);
    GE_RETURN_IF_ERROR(std::move(status));
  }
  return {};
}

}  // namespace ge
