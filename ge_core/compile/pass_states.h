#pragma once
// PassStates: what kernel builders may know about the passes that a module went through.
#include "ge_core/engine/ops_kernel_builder.h"
#include "ge_core/passes/pass_options.h"

namespace ge {

// Why passes left a node: node name -> "constant-folding: input 0 ('x') is not a constant".
using PassReasons = std::map<std::string, std::vector<std::string>>;

class GE_API PassStates {
 public:
  // Borrows all three.
  PassStates(const PassRegistry& registry, const PassOptions& options, const PassReasons& reasons)
      : registry_(registry), options_(options), reasons_(reasons) {}
  PassState StateOf(std::string_view pass, const Node& node) const;
  // Resolved text; empty where there is no such option.
  std::string OptionValue(std::string_view key) const;

 private:
  const PassRegistry& registry_;
  const PassOptions& options_;
  const PassReasons& reasons_;
};

}  // namespace ge
