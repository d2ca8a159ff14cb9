#pragma once
// PassOptions: which passes run. Precedence, strongest first: ge.disableOptimizations, ge.optimizationSwitch, the
// pass's own switch (ge.oo.constantFolding, ge.oo.deadCodeElimination), ge.oo.level.
#include <map>
#include <set>
#include <span>
#include <string>

#include "ge_core/passes/pass_registry.h"

namespace ge {

struct GE_API PassOptions {
  OptLevel level = OptLevel::kO3;        // ge.oo.level: "O1" | "O2" | "O3"
  bool constant_folding = true;          // ge.oo.constantFolding: "true" | "false"
  bool dead_code_elimination = true;     // ge.oo.deadCodeElimination: "true" | "false"
  std::set<std::string> disabled;        // ge.disableOptimizations: "PassA,PassB"; canonical names
  std::map<std::string, bool> switches;  // ge.optimizationSwitch: "PassA:on;PassB:off"; canonical names

  // The keys that Parse takes.
  static std::span<const std::string_view> Keys();
  // Reads these keys. An unknown key, pass or value is InvalidArgument naming key, value and the nearest valid ones.
  static Result<PassOptions> Parse(const std::map<std::string, std::string>& options, const PassRegistry& registry);

  struct Decision {
    bool on = true;
    std::string why;  // the option that decided, where the pass is off
  };
  Decision Decide(const PassEntry& entry) const;
};

}  // namespace ge
