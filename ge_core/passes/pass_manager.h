#pragma once
// PassManager: runs stages of passes over a module. It alone orders, times, counts nodes, verifies, dumps, and checks
// that passes report their changes honestly.
#include <functional>
#include <memory>
#include <optional>

#include "ge_core/passes/change_log.h"
#include "ge_core/passes/node_pass_driver.h"
#include "ge_core/passes/pass_registry.h"
#include "ge_core/passes/pass_report.h"
#include "ge_core/passes/value_origins.h"

namespace ge {

struct PassManagerOptions {
  // A stage repeats until a whole round changes nothing, at most so often and so long. Hitting a cap is no error: the
  // module is valid after every pass; the report notes it.
  int max_rounds = 5;
  double max_seconds = 60;
  // All passes stop after so many changes (ChangeLog::Change); -1: never. What bisection bounds.
  int64_t max_changes = -1;
  // Called after each pass that changed something, in small modules after each application of a rule. Empty: no
  // verification. A failure fails the run and names the pass.
  std::function<Status(const Module&)> verify;
  // Compares what a pass did with the flag it returned. Costs about as much as a pass.
  bool check_changed_flag = false;
  // Called after each pass that changed something: text dumps.
  std::function<void(std::string_view stage, std::string_view pass, const Module&)> dump;
  // Counts the nodes that a call computes, after each stage, for its report. Empty: not counted.
  std::function<size_t(Module&)> count_compute;
  // Written where given: who made and removed which node.
  ChangeLog* log = nullptr;
  // Written where given: what each value of the optimised module stands for.
  ValueOrigins* origins = nullptr;
};

class GE_API PassManager {
 public:
  explicit PassManager(PassManagerOptions options = {});
  ~PassManager();
  PassManager(PassManager&&) noexcept;

  // Starts a stage; later passes belong to it. `repeat` = false runs it once.
  void AddStage(std::string name, bool repeat = true);
  // Appends a pass to the last stage. Node passes that follow each other share one work list. One pass object may be one
  // entry only; a pass may be listed several times.
  void AddPass(std::unique_ptr<GraphPass> pass);
  void AddPass(std::unique_ptr<NodePass> pass);
  void AddPass(MadePass pass);

  // Runs all stages in order. The message of a failure says "while running pass 'x' in stage 'y'". `report` may be null;
  // its stages are filled as far as the run came.
  Status Run(Module& module, PassReport* report = nullptr);

  // Every rule of every stage, for questions about nodes after the run (NodePass::WhyNot).
  std::vector<const NodePass*> node_passes() const;

 private:
  struct Item {  // a graph pass, or a group of node passes
    std::unique_ptr<GraphPass> graph;
    std::vector<std::unique_ptr<NodePass>> group;
    std::vector<std::string> names;
  };
  struct Stage {
    std::string name;
    bool repeat;
    std::vector<Item> items;
  };
  struct Session;  // one run
  Status RunStage(const Stage& stage, Session& session, StageReport& report);
  Result<bool> RunItem(const Stage& stage, const Item& item, Session& session, StageReport& report);
  Result<bool> RunGraphPass(const Stage& stage, GraphPass& pass, Session& session, StageReport& report);
  Result<bool> RunGroup(const Stage& stage, const Item& item, Session& session, StageReport& report);

  PassManagerOptions options_;
  std::vector<Stage> stages_;
};

// Nodes of all graphs of the module.
GE_API size_t CountNodes(const Module& module);

}  // namespace ge
