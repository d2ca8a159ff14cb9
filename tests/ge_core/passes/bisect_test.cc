#include "ge_core/passes/bisect.h"

#include "tests/ge_core/passes/test_graphs.h"

namespace ge {
namespace {
using namespace ge::testing;

// Turns every Scale by 2 into an Add of the value to itself, which is right, and the one named `victim` into a Relu.
class Double final : public NodePass {
 public:
  explicit Double(std::string victim) : victim_(std::move(victim)) {}
  std::string_view name() const override { return "double"; }
  std::span<const std::string_view> anchors() const override {
    static constexpr std::string_view kAnchors[] = {"Scale"};
    return kAnchors;
  }
  Result<bool> Run(Node& n, Rewriter& r) override {
    const bool wrong = n.name() == victim_;
    std::vector<Value*> operands(wrong ? 1 : 2, n.input(0));
    GE_ASSIGN_OR_RETURN(Node * with, r.Create(wrong ? "Relu" : "Add", std::move(operands), {}, n));
    GE_RETURN_IF_ERROR(r.Replace(n, *with));
    return true;
  }
  std::string WhyNot(const Node&, const Rewriter&) const override { return {}; }

 private:
  std::string victim_;
};

struct BisectTest : ::testing::Test {
  Module m{TestOps()};
  Builder b{m};
  // A chain of `n` scalings named s0, s1, ... from lines 1, 2, ...
  void Chain(int n) {
    Value* v = b.In();
    for (int i = 0; i < n; ++i) {
      auto node = b.graph().Create({.op = "Scale",
                                    .inputs = {v},
                                    .attrs = {},
                                    .name = "s" + std::to_string(i),
                                    .loc = "m.py:" + std::to_string(i + 1),
                                    .types = {},
                                    .after = {}});
      ASSERT_TRUE(node.ok()) << node.message();
      v = (*node)->output();
    }
    b.Return({v});
  }
  static ManagerMaker Make(std::string victim) {
    return [victim](PassManagerOptions options) -> Result<PassManager> {
      PassManager manager(std::move(options));
      manager.AddStage("stage");
      manager.AddPass(std::make_unique<Double>(victim));
      return manager;
    };
  }
};

TEST_F(BisectTest, NamesTheFirstBadChange) {
  Chain(17);
  for (const char* victim : {"s0", "s6", "s16"}) {
    auto found = Bisect(m, TestEngine(), Make(victim));
    ASSERT_TRUE(found.ok()) << found.message();
    EXPECT_EQ(found->changes, 17);
    EXPECT_EQ(found->first_bad, std::stoi(victim + 1) + 1) << victim;
    EXPECT_EQ(found->change.pass, "double");
    EXPECT_EQ(found->change.stage, "stage");
    EXPECT_EQ(found->change.node, victim);
    EXPECT_EQ(found->change.loc, "m.py:" + std::to_string(found->first_bad));
    EXPECT_NE(found->ToString().find(found->change.loc), std::string::npos);
  }
}

TEST_F(BisectTest, SaysSoWhereNothingIsWrong) {
  Chain(5);
  auto found = Bisect(m, TestEngine(), Make("none"));
  ASSERT_TRUE(found.ok()) << found.message();
  EXPECT_EQ(found->first_bad, 0);
  EXPECT_EQ(found->changes, 5);
  EXPECT_EQ(m.entry().size(), 7u);  // the module itself is left alone
}

TEST_F(BisectTest, AFailingPassIsAFinding) {
  Chain(3);
  class Fails final : public GraphPass {
   public:
    std::string_view name() const override { return "fails"; }
    Result<bool> Run(Graph&) override { return Internal("gave up"); }
  };
  const ManagerMaker make = [](PassManagerOptions options) -> Result<PassManager> {
    PassManager manager(std::move(options));
    manager.AddStage("stage");
    manager.AddPass(std::make_unique<Double>("none"));
    manager.AddPass(std::make_unique<Fails>());
    return manager;
  };
  auto found = Bisect(m, TestEngine(), make);
  ASSERT_TRUE(found.ok()) << found.message();
  EXPECT_EQ(found->first_bad, 4);
  EXPECT_NE(found->ToString().find("running pass 'fails'"), std::string::npos) << found->ToString();
}

TEST_F(BisectTest, AModuleThatCannotRunIsAnError) {
  Value* x = b.In();
  b.Return({b.Op("NoKernel", {x})});
  EXPECT_FALSE(Bisect(m, TestEngine(), Make("none")).ok());
}

}  // namespace
}  // namespace ge
