#pragma once
// PassReport: what each pass and each stage did. Plain data, for explain() and for dumps.
#include <cstddef>
#include <string>
#include <vector>

namespace ge {

// One run of one pass over all graphs of the module.
struct PassRun {
  std::string pass;
  int round = 0;  // 1-based
  bool changed = false;
  size_t nodes_before = 0, nodes_after = 0;
  double seconds = 0;
};

struct StageReport {
  std::string stage;
  int rounds = 0;
  bool converged = true;  // false: a cap was hit, `notes` says which
  size_t nodes_before = 0, nodes_after = 0;
  double seconds = 0;
  std::vector<PassRun> passes;
  std::vector<std::string> notes;
};

struct SwitchedOff {
  std::string pass, stage, why;
};

struct PassReport {
  std::vector<StageReport> stages;
  std::vector<SwitchedOff> switched_off;  // passes of the pipeline that an option took out
  double seconds = 0;
};

}  // namespace ge
