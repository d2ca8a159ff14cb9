#pragma once
// CheckPasses: one differential test of passes on a random graph. Passes of class bit-exact must keep every bit of every
// result and of every written input, and which results are one object.
#include <set>

#include "ge_core/ir/text.h"
#include "ge_core/ir/verifier.h"
#include "ge_core/passes/pipeline.h"
#include "tests/fuzz/random_graph.h"

namespace ge::fuzz {

struct PassCheck {
  bool executed = false;  // false: the graph raises on its inputs, or holds what Evaluate cannot run
  bool changed = false;
  std::string failure;  // empty: fine
};

// `passes` empty: the whole pipeline at level O2.
inline PassCheck CheckPasses(uint64_t seed, const std::vector<std::string>& passes, const PassRegistry& registry,
                             const HostCpuEngine& engine) {
  PassCheck out;
  RandomGraph random(seed);
  Module& module = random.module();
  if (Status s = Verify(module); !s.ok()) {
    out.failure = StrCat("the generator made an invalid graph: ", s.message());
    return out;
  }
  const std::unique_ptr<Module> before = module.Clone();
  auto fail = [&](std::string what) {
    out.failure = StrCat("seed ", seed, ", passes ", passes.empty() ? std::string("of the pipeline") : Join(passes, ","), ": ", what,
                         "\nbefore:\n", Print(*before, PrintOptions::Full()), "after:\n", Print(module, PrintOptions::Full()));
    return out;
  };

  PotentialConsts marks;
  const PassContext context{.evaluator = &engine, .potential_consts = &marks};
  PassManagerOptions options{.verify = [](const Module& m) { return Verify(m); }, .check_changed_flag = true};
  PassReport report;
  Result<PassManager> manager = [&]() -> Result<PassManager> {
    if (!passes.empty()) return BuildFromNames(passes, registry, context, options);
    GE_ASSIGN_OR_RETURN(const PassOptions chosen, PassOptions::Parse({{"ge.oo.level", "O2"}}, registry));
    return BuildPipeline(registry, chosen, context, options, &report);
  }();
  if (!manager.ok()) return fail(manager.message());
  if (Status s = manager->Run(module, &report); !s.ok()) return fail(s.message());
  for (const StageReport& stage : report.stages) {
    if (!stage.converged) return fail(StrCat("stage ", stage.stage, " did not converge: ", Join(stage.notes, "; ")));
    for (const PassRun& run : stage.passes) out.changed |= run.changes > 0;
  }

  const std::vector<Tensor> inputs = random.Inputs();
  Result<EvalResult> expected = Evaluate(*before, inputs, engine);
  if (!expected.ok()) return out;  // the graph raises: nothing to compare
  out.executed = true;
  Result<EvalResult> actual = Evaluate(module, inputs, engine);
  if (!actual.ok()) return fail(StrCat("raises now: ", actual.message()));
  if (actual->outputs.size() != expected->outputs.size()) return fail("another number of results");
  const auto &old = before->entry().net_output()->inputs(), &now = module.entry().net_output()->inputs();
  for (size_t i = 0; i < actual->outputs.size(); ++i) {
    if (!(actual->outputs[i] == expected->outputs[i])) return fail(StrCat("result ", i, " differs"));
    for (size_t k = 0; k < i; ++k)
      if ((old[i] == old[k]) != (now[i] == now[k])) return fail(StrCat("results ", k, " and ", i, " became one, or two"));
    if (old[i]->producer()->Is("Data") != now[i]->producer()->Is("Data")) return fail(StrCat("result ", i, " became an input, or was one"));
  }
  // A write that changes nothing may go.
  auto left = [&](const EvalResult& r, int index) {
    auto it = r.written_inputs.find(index);
    return it == r.written_inputs.end() ? inputs[static_cast<size_t>(index)] : it->second;
  };
  for (int i = 0; i < static_cast<int>(inputs.size()); ++i)
    if (!(left(*expected, i) == left(*actual, i))) return fail(StrCat("input ", i, " has another value afterwards"));
  return out;
}

// The passes that every graph may be given: bit-exact, on by default, makeable here.
inline std::vector<std::string> ExactPasses(const PassRegistry& registry, const HostCpuEngine& engine) {
  std::vector<std::string> out;
  PotentialConsts marks;
  for (const PassDef* def : registry.defs())
    if (def->bit_exact && def->on_by_default && PassRegistry::Make(*def, {.evaluator = &engine, .potential_consts = &marks}))
      out.emplace_back(def->name);
  return out;
}

}  // namespace ge::fuzz
