#pragma once
// PassRegistry: the passes that a program knows, by name. The registry of the built-in ones comes from passes.def.
#include <map>
#include <string>
#include <vector>

#include "ge_core/passes/pass_context.h"
#include "ge_core/passes/pass_def.h"

namespace ge {

// A pass of either kind.
struct MadePass {
  std::unique_ptr<GraphPass> graph;
  std::unique_ptr<NodePass> node;
  explicit operator bool() const { return graph || node; }
};

class GE_API PassRegistry {
 public:
  // Borrows the row. Refuses a name or an alias that is taken, and a row without exactly one maker.
  Status Add(const PassDef& def);
  // By name, type or alias; null if unknown.
  const PassDef* Find(std::string_view name) const;
  // Like Find; the error names the nearest passes.
  Result<const PassDef*> Get(std::string_view name) const;
  // Makes a pass; empty where the context lacks what it needs.
  static MadePass Make(const PassDef& def, const PassContext& context);
  // In order of registration.
  const std::vector<const PassDef*>& defs() const { return defs_; }

  // A registry with the passes of passes.def.
  static PassRegistry WithBuiltins();

 private:
  std::vector<const PassDef*> defs_;
  std::map<std::string, const PassDef*, std::less<>> by_name_;
};

}  // namespace ge
