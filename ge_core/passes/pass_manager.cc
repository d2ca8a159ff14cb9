#include "ge_core/passes/pass_manager.h"

#include <chrono>
#include <map>

#include "ge_core/base/str.h"
#include "ge_core/passes/fingerprint.h"

namespace ge {
namespace {

using Clock = std::chrono::steady_clock;
double SecondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

}  // namespace

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
  stages_.back().passes.push_back(std::move(pass));
}

Result<bool> PassManager::RunPass(GraphPass& pass, Module& module) const {
  const uint64_t before = options_.check_changed_flag ? Fingerprint(module) : 0;
  std::vector<std::string> names;  // a pass may add and remove graphs on the way
  for (const auto& graph : module.graphs()) names.push_back(graph->name());
  bool changed = false;
  for (const std::string& name : names) {
    Graph* graph = module.Find(name);
    if (!graph) continue;
    Result<bool> result = pass.Run(*graph);
    if (!result.ok()) return std::move(result).status().Annotate(StrCat("in graph '", name, "'"));
    changed |= *result;
  }
  if (options_.check_changed_flag && (Fingerprint(module) != before) != changed)
    return Internal(changed ? "the pass says that it changed the module, but it did not: stages would never converge"
                            : "the pass changed the module, but says that it did not: the change was not verified");
  return changed;
}

Status PassManager::RunStage(const Stage& stage, Module& module, StageReport& report) {
  report.stage = stage.name;
  report.nodes_before = report.nodes_after = CountNodes(module);
  const Clock::time_point start = Clock::now();
  // Passes are functions of the module. One that found nothing to do is not run again before something else changed.
  int64_t version = 0;
  std::map<std::string, int64_t, std::less<>> idle_at;  // pass -> version at which it changed nothing
  bool changed = true;
  while (changed) {
    if (report.rounds == options_.max_rounds && stage.repeat) {
      report.converged = false;
      report.notes.push_back(StrCat("did not converge within ", options_.max_rounds, " rounds"));
      break;
    }
    if (report.rounds == 1 && !stage.repeat) break;
    ++report.rounds;
    changed = false;
    for (const auto& pass : stage.passes) {
      const std::string name(pass->name());
      if (auto it = idle_at.find(name); it != idle_at.end() && it->second == version) continue;
      if (SecondsSince(start) > options_.max_seconds) {
        report.converged = false;
        report.notes.push_back(StrCat("stopped before pass '", name, "' of round ", report.rounds, ": over ", options_.max_seconds, " s"));
        changed = false;
        break;
      }
      PassRun run{.pass = name, .round = report.rounds, .nodes_before = report.nodes_after};
      const Clock::time_point pass_start = Clock::now();
      Result<bool> result = RunPass(*pass, module);
      run.seconds = SecondsSince(pass_start);
      if (!result.ok()) return std::move(result).status().Annotate(StrCat("while running pass '", name, "' in stage '", stage.name, "'"));
      run.changed = *result;
      run.nodes_after = report.nodes_after = run.changed ? CountNodes(module) : report.nodes_after;
      report.passes.push_back(run);
      if (!run.changed) {
        idle_at[name] = version;
        continue;
      }
      ++version;
      changed = true;
      if (options_.verify)
        GE_RETURN_IF_ERROR(
            options_.verify(module).Annotate(StrCat("the module is invalid after pass '", name, "' in stage '", stage.name, "'")));
      if (options_.dump) options_.dump(stage.name, name, module);
    }
  }
  report.seconds = SecondsSince(start);
  return {};
}

Status PassManager::Run(Module& module, PassReport* report) {
  PassReport own;
  PassReport& out = report ? *report : own;
  const Clock::time_point start = Clock::now();
  for (const Stage& stage : stages_) {
    StageReport& stage_report = out.stages.emplace_back();
    Status status = RunStage(stage, module, stage_report);
    out.seconds = SecondsSince(start);
    GE_RETURN_IF_ERROR(std::move(status));
  }
  return {};
}

}  // namespace ge
