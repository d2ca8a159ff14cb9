#include "ge_core/passes/value_origins.h"

#include "ge_core/passes/pass_manager.h"
#include "tests/ge_core/passes/test_graphs.h"

namespace ge {
namespace {
using namespace ge::testing;

// A graph pass made of a function; it says "changed".
class Rewrite final : public GraphPass {
 public:
  Rewrite(std::string name, std::function<void(Graph&)> fn) : name_(std::move(name)), fn_(std::move(fn)) {}
  std::string_view name() const override { return name_; }
  Result<bool> Run(Graph& g) override {
    fn_(g);
    return true;
  }

 private:
  std::string name_;
  std::function<void(Graph&)> fn_;
};

// x -> Scale "a" -> Relu "b" -> returned, and Scale "c" of x, returned too.
struct Origins : ::testing::Test {
  Module m{TestOps()};
  Builder build{m};
  Value *x, *a, *b, *c;
  ValueOrigins origins;
  void SetUp() override {
    x = build.In();
    a = Named("a", "Scale", x);
    b = Named("b", "Relu", a);
    c = Named("c", "Scale", x);
    build.Return({b, c});
  }
  Value* Named(std::string name, std::string_view op, Value* in, Node* before = nullptr) {
    auto node =
        build.graph().Create({.op = op, .inputs = {in}, .attrs = {}, .name = std::move(name), .loc = {}, .types = {}, .after = {}}, before);
    GE_CHECK(node.ok(), node.message().c_str());
    return (*node)->output();
  }
  void Run(std::string name, std::function<void(Graph&)> fn) {
    PassManager manager({.origins = &origins});
    manager.AddStage("s", false);
    manager.AddPass(std::make_unique<Rewrite>(std::move(name), std::move(fn)));
    ASSERT_TRUE(manager.Run(m).ok());
  }
  // "a:0 b:0(pass)": what `v` stands for.
  std::string Of(const Value* v) const {
    auto it = origins.of.find(v);
    std::string out;
    if (it != origins.of.end())
      for (const auto& o : it->second)
        out += (out.empty() ? "" : " ") + o.node + ":" + std::to_string(o.index) + (o.pass.empty() ? "" : "(" + o.pass + ")");
    return out;
  }
};

TEST_F(Origins, EveryValueIsItsOwn) {
  Run("idle", [](Graph&) {});
  EXPECT_EQ(Of(a), "a:0");
  EXPECT_EQ(origins.of.at(a)[0].graph, "main");
  EXPECT_TRUE(origins.erased.empty());
}

TEST_F(Origins, AReplacementStandsForWhatItReplacesAndNamesThePass) {
  Value* made = nullptr;
  Run("wrong-rewrite", [&](Graph& g) {
    made = Named("d", "Relu", x, b->producer());  // drops the scaling: a mistake
    EXPECT_TRUE(g.ReplaceAllUses(b, made).ok());
    EXPECT_TRUE(g.Erase(b->producer()).ok());
  });
  EXPECT_EQ(Of(made), "b:0(wrong-rewrite)");
  ASSERT_TRUE(origins.erased.contains("main/b:0"));
  EXPECT_EQ(origins.erased.at("main/b:0")[0].node, "b");
}

TEST_F(Origins, AMergedValueStandsForBoth) {
  Run("merge", [&](Graph& g) { EXPECT_TRUE(g.ReplaceAllUses(c, a).ok()); });
  EXPECT_EQ(Of(a), "a:0 c:0(merge)");
  EXPECT_EQ(Of(c), "c:0");
}

TEST_F(Origins, AChainOfReplacementsKeepsTheFirstOrigin) {
  Value* second = nullptr;
  Run("chain", [&](Graph& g) {
    Value* first = Named("first", "Relu", a, b->producer());
    EXPECT_TRUE(g.ReplaceAllUses(b, first).ok());
    second = Named("second", "Relu", a, first->producer());
    EXPECT_TRUE(g.ReplaceAllUses(first, second).ok());
  });
  EXPECT_EQ(Of(second), "b:0(chain)");
}

TEST_F(Origins, ANodeChangedInPlaceNoLongerStandsForItself) {
  Run("absorb", [&](Graph& g) {
    g.SetAttr(a->producer(), "by", int64_t{3});
    EXPECT_TRUE(g.ReplaceAllUses(b, a).ok());
  });
  EXPECT_EQ(Of(a), "b:0(absorb)");
  EXPECT_EQ(origins.changed_by.at(a->producer()), "absorb");
}

TEST_F(Origins, AlsoWhereTheChangeComesAfterTheReplacement) {
  Run("absorb", [&](Graph& g) {
    EXPECT_TRUE(g.ReplaceAllUses(b, a).ok());
    g.SetAttr(a->producer(), "by", int64_t{3});
  });
  EXPECT_EQ(Of(a), "b:0(absorb)");
}

TEST_F(Origins, AnIntermediateResultStandsForNothing) {
  Value* inner = nullptr;
  Run("split", [&](Graph& g) {
    inner = Named("inner", "Scale", x, b->producer());
    Value* outer = Named("outer", "Relu", inner, b->producer());
    EXPECT_TRUE(g.ReplaceAllUses(b, outer).ok());
  });
  EXPECT_EQ(Of(inner), "");
}

TEST_F(Origins, NodePassesAreNamedToo) {
  class Drop final : public NodePass {
   public:
    std::string_view name() const override { return "drop"; }
    std::span<const std::string_view> anchors() const override {
      static constexpr std::string_view kAnchors[] = {"Relu"};
      return kAnchors;
    }
    Result<bool> Run(Node& n, Rewriter& r) override {
      if (n.output()->unused()) return false;
      GE_RETURN_IF_ERROR(r.graph().ReplaceAllUses(n.output(), n.input(0)));
      return true;
    }
    std::string WhyNot(const Node&, const Rewriter&) const override { return {}; }
  };
  PassManager manager({.origins = &origins});
  manager.AddStage("s", false);
  manager.AddPass(std::make_unique<Drop>());
  ASSERT_TRUE(manager.Run(m).ok());
  EXPECT_EQ(Of(a), "a:0 b:0(drop)");
}

}  // namespace
}  // namespace ge
