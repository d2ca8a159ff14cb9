#pragma once
// PassRegistry: name -> how to make the pass, at which level it is on, which option switches it.
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "ge_core/eval/host_cpu_engine.h"
#include "ge_core/ir/engine.h"
#include "ge_core/passes/fold/constant_folding_pass.h"
#include "ge_core/passes/pass.h"

namespace ge {

// What passes may use. Borrowed from the composition root, alive as long as the passes.
struct PassContext {
  const HostCpuEngine* evaluator = nullptr;  // null: passes that evaluate nodes are left out
  EngineList engines;                        // in placement order: layout passes ask their preferences
  FoldOptions fold;
  FoldReport* fold_report = nullptr;  // null: not recorded
};

// O1: folding and clean-up. O2: everything bit-exact. O3: everything.
enum class OptLevel : uint8_t { kO1 = 1, kO2 = 2, kO3 = 3 };

struct PassEntry {
  std::string name;                  // "constant-folding"
  std::vector<std::string> aliases;  // "ConstantFoldingPass": names that options and RUN lines may use too
  OptLevel level = OptLevel::kO1;    // on from this level upwards
  std::string switch_option;         // "ge.oo.constantFolding", or empty: the level alone decides
  std::string doc;                   // one sentence
  // Null result: the context lacks what the pass needs; the pipeline leaves the pass out and says so.
  std::function<std::unique_ptr<GraphPass>(const PassContext&)> make;
};

class GE_API PassRegistry {
 public:
  // Refuses a name or an alias that is taken, and an entry without a maker.
  Status Add(PassEntry entry);
  // By name or alias; null if unknown.
  const PassEntry* Find(std::string_view name) const;
  // Like Find; the error names the nearest passes.
  Result<const PassEntry*> Get(std::string_view name) const;
  // Makes a pass. Fails on an unknown name, or where the context lacks what the pass needs.
  Result<std::unique_ptr<GraphPass>> Create(std::string_view name, const PassContext& context) const;
  // In order of registration.
  const std::vector<std::unique_ptr<PassEntry>>& entries() const { return entries_; }

  // A registry with the passes of this build (builtin_passes.cc).
  static PassRegistry WithBuiltins();

 private:
  std::vector<std::unique_ptr<PassEntry>> entries_;
  std::map<std::string, const PassEntry*, std::less<>> by_name_;
};

}  // namespace ge
