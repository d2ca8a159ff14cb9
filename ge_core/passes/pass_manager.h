#pragma once
// PassManager: runs stages of passes over a module. It alone orders, times, counts nodes, verifies, dumps, and checks
// that passes report their changes honestly.
#include <functional>
#include <memory>

#include "ge_core/passes/pass.h"
#include "ge_core/passes/pass_report.h"

namespace ge {

struct PassManagerOptions {
  // A stage repeats until a whole round changes nothing, at most so often and so long. Hitting a cap is no error: the
  // module is valid after every pass; the report notes it.
  int max_rounds = 5;
  double max_seconds = 60;
  // Called after each pass that changed something. Empty: no verification. A failure fails the run and names the pass.
  std::function<Status(const Module&)> verify;
  // Compares a fingerprint of the module around every pass with the flag it returned. Costs about as much as a pass.
  bool check_changed_flag = false;
  // Called after each pass that changed something: text dumps.
  std::function<void(std::string_view stage, std::string_view pass, const Module&)> dump;
};

class GE_API PassManager {
 public:
  explicit PassManager(PassManagerOptions options = {});
  ~PassManager();
  PassManager(PassManager&&) noexcept;

  // Starts a stage; later passes belong to it. `repeat` = false runs it once.
  void AddStage(std::string name, bool repeat = true);
  // Appends a pass to the last stage. One pass object may be one entry only; a pass may be listed several times.
  void AddPass(std::unique_ptr<GraphPass> pass);

  // Runs all stages in order. The message of a failure says "while running pass 'x' in stage 'y'". `report` may be null;
  // its stages are filled as far as the run came.
  Status Run(Module& module, PassReport* report = nullptr);

 private:
  struct Stage {
    std::string name;
    bool repeat;
    std::vector<std::unique_ptr<GraphPass>> passes;
  };
  Status RunStage(const Stage& stage, Module& module, StageReport& report);
  // Runs one pass over every graph of the module.
  Result<bool> RunPass(GraphPass& pass, Module& module) const;

  PassManagerOptions options_;
  std::vector<Stage> stages_;
};

// Nodes of all graphs of the module.
GE_API size_t CountNodes(const Module& module);

}  // namespace ge
