#include "ge_core/passes/bisect.h"

#include "ge_core/base/str.h"
#include "ge_core/eval/random_inputs.h"

namespace ge {
namespace {

// One run of the passes up to a bound.
struct Trial {
  std::unique_ptr<Module> module;
  ChangeLog log;
  std::string difference;  // empty: right
};

class Bisector {
 public:
  Bisector(const Module& module, const HostCpuEngine& evaluator, const ManagerMaker& make, const BisectOptions& options)
      : module_(module), evaluator_(evaluator), make_(make), options_(options) {}

  Status EvaluateOriginal() {
    for (int round = 0; round < options_.rounds; ++round) {
      GE_ASSIGN_OR_RETURN(std::vector<Tensor> inputs, RandomInputs(module_, round));
      GE_ASSIGN_OR_RETURN(EvalResult result, Evaluate(module_, inputs, evaluator_));
      inputs_.push_back(std::move(inputs));
      expected_.push_back(std::move(result));
    }
    return {};
  }

  Result<Trial> Run(int64_t bound) const {
    Trial t{.module = module_.Clone(), .log = {}, .difference = {}};
    PassManagerOptions options{.max_changes = bound, .log = &t.log};
    GE_ASSIGN_OR_RETURN(PassManager manager, make_(std::move(options)));
    if (const Status s = manager.Run(*t.module); !s.ok()) {
      t.difference = StrCat("the passes fail: ", s.message());
      return t;
    }
    bool exact = true;
    for (const ChangeLog::Change& c : t.log.changes)
      if (const PassDef* def = options_.registry ? options_.registry->Find(c.pass) : nullptr) exact &= def->bit_exact;
    for (size_t i = 0; i < inputs_.size() && t.difference.empty(); ++i) {
      const Result<EvalResult> found = Evaluate(*t.module, inputs_[i], evaluator_);
      const std::string d = found.ok() ? ResultDifference(expected_[i], *found, inputs_[i], exact ? 0 : options_.tolerance)
                                       : StrCat("the module cannot be run any more: ", found.message());
      if (!d.empty()) t.difference = StrCat("on seeded inputs ", i, ": ", d);
    }
    return t;
  }

 private:
  const Module& module_;
  const HostCpuEngine& evaluator_;
  const ManagerMaker& make_;
  const BisectOptions& options_;
  std::vector<std::vector<Tensor>> inputs_;
  std::vector<EvalResult> expected_;
};

}  // namespace

std::string Bisection::ToString() const {
  if (!first_bad) return StrCat("nothing is wrong after ", changes, " changes");
  if (change.pass.empty()) return StrCat("change ", first_bad, " is not made: ", difference);
  return StrCat("change ", first_bad, " of ", changes, " is wrong: pass ", change.pass, " in stage ", change.stage,
                change.node.empty() ? "" : StrCat(", at node '", change.node, "' of graph '", change.graph, "'"),
                change.loc.empty() ? "" : StrCat(", from ", change.loc), "\n  ", difference);
}

Result<Bisection> Bisect(const Module& module, const HostCpuEngine& evaluator, const ManagerMaker& make, const BisectOptions& options) {
  Bisector bisector(module, evaluator, make, options);
  GE_RETURN_IF_ERROR(bisector.EvaluateOriginal().Annotate("the module cannot be run as it is"));
  GE_ASSIGN_OR_RETURN(Trial all, bisector.Run(-1));
  Bisection out;
  out.changes = static_cast<int64_t>(all.log.changes.size());
  if (all.difference.empty()) return out;
  // A pass that fails before its change is logged makes one more.
  Trial bad = std::move(all);
  int64_t good = 0, wrong = out.changes + 1;
  while (wrong - good > 1) {
    const int64_t middle = good + (wrong - good) / 2;
    GE_ASSIGN_OR_RETURN(Trial t, bisector.Run(middle));
    if (t.difference.empty()) {
      good = middle;
    } else {
      wrong = middle;
      bad = std::move(t);
    }
  }
  out.first_bad = wrong;
  out.changes = std::max(out.changes, wrong);
  out.difference = bad.difference;
  if (static_cast<size_t>(wrong) <= bad.log.changes.size()) out.change = bad.log.changes[static_cast<size_t>(wrong) - 1];
  return out;
}

}  // namespace ge
