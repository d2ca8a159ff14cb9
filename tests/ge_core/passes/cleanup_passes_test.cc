#include <gtest/gtest.h>

#include "ge_core/passes/cleanup/common_subexpression_elimination_pass.h"
#include "ge_core/passes/cleanup/dead_code_elimination_pass.h"
#include "ge_core/passes/cleanup/remove_unused_subgraphs_pass.h"
#include "tests/ge_core/passes/test_graphs.h"

namespace ge {
namespace {
using namespace ge::testing;

template <typename Pass>
bool RunOn(Graph& g) {
  Pass pass;
  auto r = pass.Run(g);
  EXPECT_TRUE(r.ok()) << r.message();
  return r.ok() && *r;
}
constexpr auto Dce = RunOn<DeadCodeEliminationPass>;
constexpr auto Cse = RunOn<CommonSubexpressionEliminationPass>;

TEST(DeadCodeElimination, RemovesChainsKeepsEffectsAndInputs) {
  Module m(TestOps());
  Builder b(m);
  Value *x = b.In(), *unused = b.In();
  Value* dead = b.Op("Relu", {b.Op("Scale", {x})});
  b.Op("Add", {dead, dead});
  Value* feeds_effect = b.Op("Relu", {x});
  b.Op("Effect", {feeds_effect});
  b.Op("Random", {x});
  b.Return({b.Op("Sub", {x, x})});
  EXPECT_TRUE(Dce(b.graph()));
  EXPECT_EQ(CountOf(b.graph(), "Relu"), 1);
  EXPECT_EQ(CountOf(b.graph(), "Scale") + CountOf(b.graph(), "Add"), 0);
  EXPECT_EQ(CountOf(b.graph(), "Effect") + CountOf(b.graph(), "Random"), 2);
  EXPECT_EQ(b.graph().inputs().size(), 2u);
  EXPECT_TRUE(unused->unused());
  EXPECT_FALSE(Dce(b.graph()));
}

TEST(DeadCodeElimination, OneLiveResultKeepsTheNode) {
  Module m(TestOps());
  Builder b(m);
  b.Return({b.N("Twice", {b.In()})->output(1)});
  EXPECT_FALSE(Dce(b.graph()));
}

TEST(DeadCodeElimination, BridgesControlEdges) {
  Module m(TestOps());
  Builder b(m);
  Value* x = b.In();
  Node* first = b.N("Effect", {x});
  Node* dead = b.N("Relu", {x}, {}, {}, {first});
  Node* last = b.N("Effect", {x}, {}, {}, {dead});
  b.Return({x});
  EXPECT_TRUE(Dce(b.graph()));
  EXPECT_EQ(CountOf(b.graph(), "Relu"), 0);
  EXPECT_EQ(last->control_inputs(), std::vector<Node*>{first});
}

TEST(CommonSubexpressionElimination, MergesEqualNodesAndTheirUsers) {
  Module m(TestOps());
  Builder b(m);
  Value *x = b.In(), *y = b.In();
  Value* p = b.Op("Scale", {b.Op("Add", {x, y})}, {{"by", 3}});
  Value* q = b.Op("Scale", {b.Op("Add", {y, x})}, {{"by", 3}});  // commutative
  b.Return({b.Op("Sub", {p, q})});
  EXPECT_TRUE(Cse(b.graph()));
  EXPECT_EQ(CountOf(b.graph(), "Add"), 1);
  EXPECT_EQ(CountOf(b.graph(), "Scale"), 1);
  EXPECT_FALSE(Cse(b.graph()));
}

TEST(CommonSubexpressionElimination, MergesConstantsBitwise) {
  Module m(TestOps());
  Builder b(m);
  Value* x = b.In(I64(2));
  Node* c = b.graph().CreateConst(Vec({1, 2}));
  b.graph().SetAttr(c, "_is_from_constant_folding", true);
  b.Return({b.Op("Add", {x, b.C({1, 2})}), b.Op("Sub", {x, c->output()}), b.Op("Sub", {b.C({1, 3}), x})});
  EXPECT_TRUE(Cse(b.graph()));
  EXPECT_EQ(CountOf(b.graph(), "Const"), 2);

  Module f(TestOps());
  Builder g(f);
  const float zero[] = {0.0f}, minus[] = {-0.0f};
  Value* p = g.graph().CreateConst(Tensor::Of<float>(DType::kF32, {1}, zero))->output();
  Value* n = g.graph().CreateConst(Tensor::Of<float>(DType::kF32, {1}, minus))->output();
  g.Return({g.Op("Sub", {p, n})});
  EXPECT_FALSE(Cse(g.graph()));
}

TEST(CommonSubexpressionElimination, WhatMustStayApart) {
  auto keeps = [](auto build) {
    Module m(TestOps());
    Builder b(m);
    build(b);
    return !Cse(b.graph());
  };
  EXPECT_TRUE(keeps([](Builder& b) {
    Value* x = b.In();
    b.Return({b.Op("Relu", {x}), b.Op("Relu", {x})});
  })) << "two results";
  EXPECT_TRUE(keeps([](Builder& b) { b.Return({b.C({1}), b.C({1})}); })) << "two constant results";
  EXPECT_TRUE(keeps([](Builder& b) {
    Value* x = b.In();
    b.Return({b.Op("View", {b.Op("Relu", {x})}), b.Op("View", {b.Op("View", {b.Op("Relu", {x})})})});
  })) << "two results through views";
  EXPECT_TRUE(keeps([](Builder& b) {
    Value* x = b.In();
    Value* w = b.Op("Relu", {x});
    Value* r = b.Op("Relu", {x});
    b.N("Write", {b.Op("View", {w}), x});
    b.Return({r});
  })) << "a written value";
  EXPECT_TRUE(keeps([](Builder& b) {
    Value* x = b.In();
    b.Return({b.Op("Sub", {b.Op("Random", {x}), b.Op("Random", {x})})});
  })) << "random";
  EXPECT_TRUE(keeps([](Builder& b) {
    Value* x = b.In();
    b.Return({b.Op("Sub", {b.Op("Effect", {x}), b.Op("Effect", {x})})});
  })) << "effects";
  EXPECT_TRUE(keeps([](Builder& b) {
    Value *x = b.In(), *y = b.In();
    b.Return({b.Op("Add", {b.Op("Sub", {x, y}), b.Op("Sub", {y, x})})});
  })) << "not commutative";
  EXPECT_TRUE(keeps([](Builder& b) {
    Value* x = b.In();
    b.Return({b.Op("Sub", {b.Op("Scale", {x}), b.Op("Scale", {x}, {{"by", 5}})})});
  })) << "attributes";
  EXPECT_TRUE(keeps([](Builder& b) {
    Value* x = b.In();
    ValueType t = I64(4);
    t.layout.kind = StorageLayout::Kind::kFree;
    b.Return({b.Op("Sub", {b.Op("Relu", {x}), b.Op("Relu", {x}, {}, {t})})});
  })) << "layouts";
  EXPECT_TRUE(keeps([](Builder& b) {
    Value* x = b.In();
    Node* e = b.N("Effect", {x});
    b.Return({b.Op("Sub", {b.Op("Relu", {x}), b.N("Relu", {x}, {}, {}, {e})->output()})});
  })) << "control edges";
}

TEST(CommonSubexpressionElimination, OneResultMayServeInnerUses) {
  Module m(TestOps());
  Builder b(m);
  Value* x = b.In();
  Value* inner = b.Op("Relu", {x});
  b.Return({b.Op("Relu", {x}), b.Op("Scale", {inner}), b.Op("Relu", {x})});
  EXPECT_TRUE(Cse(b.graph()));
  EXPECT_EQ(CountOf(b.graph(), "Relu"), 2);
  EXPECT_NE(b.graph().net_output()->input(0), b.graph().net_output()->input(2));
}

TEST(RemoveUnusedSubgraphs, FollowsNestedReferences) {
  Module m(TestOps());
  Builder b(m), used(m, "used"), inner(m, "inner"), dead(m, "dead"), dead2(m, "dead2");
  for (Builder* s : {&inner, &dead2}) {
    Value* x = s->In();
    s->Return({x});
  }
  Value* u = used.In();
  used.Return({used.Op("PartitionedCall", {u}, {{"f", Attr::GraphRef{"inner"}}}, {I64(4)})});
  Value* d = dead.In();
  dead.Return({dead.Op("PartitionedCall", {d}, {{"f", Attr::GraphRef{"dead2"}}}, {I64(4)})});
  Value* x = b.In();
  b.Return({b.Op("PartitionedCall", {x}, {{"f", Attr::GraphRef{"used"}}}, {I64(4)})});
  EXPECT_FALSE(RunOn<RemoveUnusedSubgraphsPass>(used.graph()));
  EXPECT_TRUE(RunOn<RemoveUnusedSubgraphsPass>(b.graph()));
  EXPECT_EQ(m.graphs().size(), 3u);
  EXPECT_EQ(m.Find("dead2"), nullptr);
  EXPECT_NE(m.Find("inner"), nullptr);
}

}  // namespace
}  // namespace ge
