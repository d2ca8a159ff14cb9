#pragma once
// PassReport: what each pass and each stage did. Plain data, for explain() and for dumps.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ge {

// One run of one pass over all graphs of the module. A node pass shares its work list with its neighbours; its share of
// changes, nodes and time is counted apart.
struct PassRun {
  std::string pass;
  int round = 0;           // 1-based
  int64_t changes = 0;     // rules applied; for a graph pass 1 if it changed something
  int64_t node_delta = 0;  // nodes made less nodes removed
  double seconds = 0;
};

struct StageReport {
  std::string stage;
  int rounds = 0;
  bool converged = true;  // false: a cap was hit, `notes` says which
  size_t nodes_before = 0, nodes_after = 0;
  size_t compute_after = 0;  // nodes that a call computes; 0 where the manager was not given a way to count them
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
