#pragma once
// Bisect: finds the change by which passes break a module. Changes are numbered through a whole compile (ChangeLog), so a
// bound on their number (PassManagerOptions::max_changes) stops the passes at any point; a binary search does the rest.
#include <functional>

#include "ge_core/passes/pass_manager.h"

namespace ge {

struct BisectOptions {
  int rounds = 3;  // seeded inputs that must give the same values
  // Where a pass that is not bit-exact made a change, floats may differ by this share of the largest value.
  double tolerance = 1e-4;
  // Says which passes are bit-exact; null: all.
  const PassRegistry* registry = nullptr;
};

struct GE_API Bisection {
  int64_t changes = 0;       // that the passes make in all
  int64_t first_bad = 0;     // 1-based; 0: nothing is wrong
  ChangeLog::Change change;  // the first bad one
  std::string difference;    // what it does to the values, or how the passes failed
  std::string ToString() const;
};

// Makes the manager of one trial.
using ManagerMaker = std::function<Result<PassManager>(PassManagerOptions)>;

// Runs `make`'s passes on copies of `module` and compares evaluations of the copy with those of the original. Fails where the
// original cannot be evaluated.
GE_API Result<Bisection> Bisect(const Module& module, const HostCpuEngine& evaluator, const ManagerMaker& make,
                                const BisectOptions& options = {});

}  // namespace ge
