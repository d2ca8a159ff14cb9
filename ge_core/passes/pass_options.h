#pragma once
// PassOptions: which passes run, and their limits, read from resolved options. Precedence, strongest first:
// ge.disableOptimizations, ge.optimizationSwitch, the pass's own switch (ge.oo.constantFolding, ge.oo.deadCodeElimination),
// ge.oo.level.
#include <map>
#include <set>
#include <string>

#include "ge_core/passes/option_def.h"
#include "ge_core/passes/pass_registry.h"

namespace ge {

struct GE_API PassOptions {
  OptLevel level = OptLevel::kO3;
  OptionMap values;                      // resolved: what switch options are looked up in
  std::set<std::string> disabled;        // canonical names
  std::map<std::string, bool> switches;  // canonical names
  FoldOptions fold;
  int64_t max_changes = -1;
  bool verify = false;

  // Reads resolved options (ResolveOptions). A pass that `registry` does not know is InvalidArgument naming the nearest.
  static Result<PassOptions> FromResolved(OptionMap resolved, const PassRegistry& registry);
  // From options of graph scope alone.
  static Result<PassOptions> Parse(const OptionMap& options, const PassRegistry& registry);

  struct Decision {
    bool on = true;
    std::string why;  // the option that decided, where the pass is off
  };
  Decision Decide(const PassDef& def) const;
};

}  // namespace ge
