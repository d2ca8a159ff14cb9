#include "ge_core/passes/pass_manager.h"

#include <gtest/gtest.h>

#include "ge_core/passes/fingerprint.h"
#include "ge_core/passes/pipeline.h"
#include "tests/ge_core/passes/test_graphs.h"

namespace ge {
namespace {
using namespace ge::testing;

// A pass made of a function.
class FnPass final : public GraphPass {
 public:
  FnPass(std::string name, std::function<Result<bool>(Graph&)> fn) : name_(std::move(name)), fn_(std::move(fn)) {}
  std::string_view name() const override { return name_; }
  Result<bool> Run(Graph& g) override { return fn_(g); }

 private:
  std::string name_;
  std::function<Result<bool>(Graph&)> fn_;
};

struct Manager : ::testing::Test {
  Module m{TestOps()};
  Builder b{m};
  void SetUp() override {
    Value* x = b.In();
    b.Return({b.Op("Scale", {x})});
  }
  // Adds a dead node: a visible change.
  static bool Grow(Graph& g) {
    EXPECT_TRUE(g.Create({.op = "Relu", .inputs = {g.inputs()[0]->output()}}).ok());
    return true;
  }
};

TEST_F(Manager, RunsToConvergenceAndCountsNodes) {
  int left = 3, idle_runs = 0;
  PassManager manager;
  manager.AddStage("s");
  manager.AddPass(std::make_unique<FnPass>("grow", [&](Graph& g) -> Result<bool> { return left-- > 0 && Grow(g); }));
  manager.AddPass(std::make_unique<FnPass>("idle", [&](Graph&) -> Result<bool> {
    ++idle_runs;
    return false;
  }));
  PassReport report;
  ASSERT_TRUE(manager.Run(m, &report).ok());
  ASSERT_EQ(report.stages.size(), 1u);
  const StageReport& s = report.stages[0];
  EXPECT_TRUE(s.converged);
  EXPECT_EQ(s.rounds, 4);
  EXPECT_EQ(s.nodes_before, 3u);
  EXPECT_EQ(s.nodes_after, 6u);
  EXPECT_EQ(s.passes[0].node_delta, 1);
  EXPECT_EQ(idle_runs, 3);  // not again where nothing changed since
}

TEST_F(Manager, CapsAreNotedNotFatal) {
  PassManager rounds;
  rounds.AddStage("endless");
  rounds.AddPass(std::make_unique<FnPass>("grow", [](Graph& g) -> Result<bool> { return Grow(g); }));
  PassReport report;
  ASSERT_TRUE(rounds.Run(m, &report).ok());
  EXPECT_FALSE(report.stages[0].converged);
  EXPECT_EQ(report.stages[0].rounds, 5);
  EXPECT_NE(report.stages[0].notes.at(0).find("5 rounds"), std::string::npos);

  PassManager time({.max_seconds = -1});
  time.AddStage("late");
  time.AddPass(std::make_unique<FnPass>("grow", [](Graph& g) -> Result<bool> { return Grow(g); }));
  PassReport late;
  ASSERT_TRUE(time.Run(m, &late).ok());
  EXPECT_FALSE(late.stages[0].converged);
  EXPECT_TRUE(late.stages[0].passes.empty());
}

TEST_F(Manager, FailuresSayWhere) {
  PassManager manager;
  manager.AddStage("stage-a");
  manager.AddPass(std::make_unique<FnPass>("bad", [](Graph&) -> Result<bool> { return Internal("boom"); }));
  Status s = manager.Run(m);
  ASSERT_FALSE(s.ok());
  EXPECT_NE(s.message().find("boom"), std::string::npos);
  EXPECT_NE(s.message().find("in graph 'main'"), std::string::npos);
  EXPECT_NE(s.message().find("while running pass 'bad' in stage 'stage-a'"), std::string::npos);
}

TEST_F(Manager, TheChangedFlagMustBeHonest) {
  for (const bool claims : {false, true}) {
    PassManager manager({.check_changed_flag = true});
    manager.AddStage("s");
    manager.AddPass(std::make_unique<FnPass>("liar", [&](Graph& g) -> Result<bool> {
      if (!claims) Grow(g);
      return claims;
    }));
    Status s = manager.Run(m);
    ASSERT_FALSE(s.ok());
    EXPECT_NE(s.message().find("liar"), std::string::npos);
  }
}

TEST_F(Manager, VerifiesAndDumpsAfterChanges) {
  int verified = 0;
  std::vector<std::string> dumped;
  PassManager manager({.max_rounds = 1,
                       .verify = [&](const Module&) { return ++verified == 1 ? Status() : Internal("V04 broken"); },
                       .dump = [&](std::string_view stage, std::string_view pass,
                                   const Module&) { dumped.push_back(std::string(stage) + "/" + std::string(pass)); }});
  manager.AddStage("s");
  manager.AddPass(std::make_unique<FnPass>("idle", [](Graph&) -> Result<bool> { return false; }));
  manager.AddPass(std::make_unique<FnPass>("one", [](Graph& g) -> Result<bool> { return Grow(g); }));
  manager.AddPass(std::make_unique<FnPass>("two", [](Graph& g) -> Result<bool> { return Grow(g); }));
  Status s = manager.Run(m);
  ASSERT_FALSE(s.ok());
  EXPECT_NE(s.message().find("V04 broken"), std::string::npos);
  EXPECT_NE(s.message().find("after pass 'two'"), std::string::npos);
  EXPECT_EQ(dumped, std::vector<std::string>{"s/one"});
}

TEST_F(Manager, EveryGraphOfTheModuleIsVisited) {
  Builder sub(m, "sub");
  sub.Return({sub.In()});
  std::vector<std::string> seen;
  PassManager manager;
  manager.AddStage("s");
  manager.AddPass(std::make_unique<FnPass>("look", [&](Graph& g) -> Result<bool> {
    seen.push_back(g.name());
    return false;
  }));
  ASSERT_TRUE(manager.Run(m).ok());
  EXPECT_EQ(seen, (std::vector<std::string>{"main", "sub"}));
}

TEST_F(Manager, FingerprintSeesEveryKindOfChange) {
  const uint64_t before = Fingerprint(m);
  EXPECT_EQ(before, Fingerprint(*m.Clone()));
  Node* scale = b.graph().net_output()->input(0)->producer();
  b.graph().SetAttr(scale, "by", 9);
  const uint64_t attr = Fingerprint(m);
  EXPECT_NE(attr, before);
  ValueType t = I64(4);
  t.layout.kind = StorageLayout::Kind::kFree;
  b.graph().SetType(scale->output(), t);
  EXPECT_NE(Fingerprint(m), attr);
}

TEST(PassRegistry, RefusesDuplicatesAndNamesTheNearest) {
  PassRegistry r = PassRegistry::WithBuiltins();
  const PassDef mine = PassDef("MinePass").Name("mine").Graph([](const PassContext&) { return std::unique_ptr<GraphPass>(); });
  EXPECT_EQ(r.Add(mine.Name("constant-folding")).code(), Code::kInvalidArgument);
  EXPECT_EQ(r.Add(mine.Alias("cse")).code(), Code::kInvalidArgument);
  EXPECT_EQ(r.Add(PassDef("MinePass").Name("mine")).code(), Code::kInvalidArgument);  // nothing makes it
  EXPECT_TRUE(r.Add(mine).ok());
  EXPECT_EQ(r.Add(mine).code(), Code::kInvalidArgument);
  auto unknown = r.Get("ConstantFoldPass");
  ASSERT_FALSE(unknown.ok());
  EXPECT_NE(unknown.message().find("did you mean 'ConstantFoldingPass'"), std::string::npos) << unknown.message();
  EXPECT_FALSE(PassRegistry::Make(**r.Get("fold"), {}));  // no evaluator in the context
  EXPECT_EQ(PassRegistry::Make(**r.Get("dce"), {}).graph->name(), "dead-code-elimination");
}

TEST(PassRegistry, NamesAgreeWithThePasses) {
  PassRegistry r = PassRegistry::WithBuiltins();
  PotentialConsts marks;
  for (const PassDef* def : r.defs()) {
    const MadePass pass = PassRegistry::Make(*def, {.evaluator = &TestEngine(), .potential_consts = &marks});
    if (pass) { EXPECT_EQ(pass.graph ? pass.graph->name() : pass.node->name(), def->name); }
    EXPECT_FALSE(def->doc.empty()) << def->name;
    EXPECT_TRUE(def->bit_exact || def->level == OptLevel::kO3) << def->name << ": tolerance-class rules are O3";
  }
}

std::string Off(const std::map<std::string, std::string>& options) {
  PassRegistry r = PassRegistry::WithBuiltins();
  auto parsed = PassOptions::Parse(options, r);
  if (!parsed.ok()) return parsed.message();
  std::string off;
  for (const char* pass : {"constant-folding", "dead-code-elimination", "common-subexpression-elimination"})
    if (auto d = parsed->Decide(*r.Find(pass)); !d.on) off += std::string(off.empty() ? "" : "; ") + pass + ": " + d.why;
  return off;
}

TEST(PassOptions, PrecedenceAndReasons) {
  EXPECT_EQ(Off({}), "");
  EXPECT_EQ(Off({{"ge.oo.level", "O2"}}), "");
  EXPECT_EQ(Off({{"ge.oo.level", "O1"}}), "common-subexpression-elimination: needs O2, ge.oo.level = O1");
  EXPECT_EQ(Off({{"ge.oo.constantFolding", "false"}}), "constant-folding: ge.oo.constantFolding = false");
  EXPECT_EQ(Off({{"ge.oo.constantFolding", "false"}, {"ge.optimizationSwitch", "ConstantFoldingPass:on"}}), "");
  EXPECT_EQ(Off({{"ge.optimizationSwitch", "cse : off; dce:off"}}),
            "dead-code-elimination: ge.optimizationSwitch says off; common-subexpression-elimination: ge.optimizationSwitch says off");
  EXPECT_EQ(Off({{"ge.disableOptimizations", "ConstantFoldingPass,"}, {"ge.optimizationSwitch", "ConstantFoldingPass:on"}}),
            "constant-folding: ge.disableOptimizations names it");
}

TEST(PassOptions, ErrorsNameTheNearest) {
  EXPECT_EQ(Off({{"ge.oo.constantfolding", "true"}}), "unknown option 'ge.oo.constantfolding'; did you mean 'ge.oo.constantFolding'?");
  EXPECT_EQ(Off({{"ge.oo.level", "O4"}}), "option ge.oo.level = 'O4': expected 'O1', 'O2', 'O3'");
  EXPECT_EQ(Off({{"ge.oo.constantFolding", "1"}}), "option ge.oo.constantFolding = '1': expected 'true' or 'false'");
  EXPECT_NE(Off({{"ge.disableOptimizations", "ConstantFoldinPass"}}).find("did you mean 'ConstantFoldingPass'"), std::string::npos);
  EXPECT_NE(Off({{"ge.optimizationSwitch", "cse=off"}}).find("found 'cse=off'"), std::string::npos);
}

TEST(Pipeline, ListsKnownPassesAndReportsWhatIsOff) {
  PassRegistry r = PassRegistry::WithBuiltins();
  for (const PipelineStage& stage : Pipeline())
    for (const PipelineEntry& entry : stage.entries) {
      EXPECT_TRUE(r.Find(entry.pass) || entry.pass == "autofuse" || entry.pass == "epilogue-fusion") << entry.pass;  // registered by composition roots
      EXPECT_FALSE(entry.reason.empty());
    }
  PassOptions options;
  options.level = OptLevel::kO1;
  PassReport report;
  auto manager = BuildPipeline(r, options, {}, {}, &report);
  ASSERT_TRUE(manager.ok()) << manager.message();
  bool cse = false, fold = false;
  for (const SwitchedOff& off : report.switched_off) {
    cse |= off.pass == "common-subexpression-elimination" && off.stage == "OptimizeStage1_1" && off.why.find("O1") != std::string::npos;
    fold |= off.pass == "constant-folding" && off.why == "what it needs is not present";
  }
  EXPECT_TRUE(cse && fold);
}

TEST(Pipeline, FromNames) {
  PassRegistry r = PassRegistry::WithBuiltins();
  EXPECT_TRUE(BuildFromNames(std::vector<std::string>{"fold", "dce", "dce"}, r, {.evaluator = &TestEngine()}, {}).ok());
  EXPECT_EQ(BuildFromNames(std::vector<std::string>{"folt"}, r, {}, {}).code(), Code::kInvalidArgument);
}

}  // namespace
}  // namespace ge
