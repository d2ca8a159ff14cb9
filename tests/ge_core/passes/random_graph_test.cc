// Property: on random graphs the whole pipeline keeps every value bit by bit, keeps results apart that were apart, never
// grows the work, reports changes honestly, and a second run finds nothing more to do.
#include <gtest/gtest.h>

#include <random>

#include "ge_core/eval/evaluate.h"
#include "ge_core/ir/verifier.h"
#include "ge_core/passes/pipeline.h"
#include "tests/ge_core/passes/test_graphs.h"

namespace ge {
namespace {
using namespace ge::testing;

// Nodes, each call counted with all that it may run.
int64_t Work(const Graph& g) {
  int64_t work = 0;
  for (const Node* n : g.nodes()) {
    ++work;
    for (const auto& [name, attr] : n->attrs())
      if (const auto* ref = attr.Get<Attr::GraphRef>()) work += Work(*g.module().Find(ref->name));
  }
  return work;
}

ValueType Bool() { return ValueType::Tensor(DType::kBool, {}); }
Tensor BoolTensor(bool value) {
  const uint8_t byte = value;
  return Tensor::Of<uint8_t>(DType::kBool, {}, std::span<const uint8_t>(&byte, 1));
}
Value* Predicate(Builder& b, bool value) { return b.graph().CreateConst(BoolTensor(value))->output(); }

// again(p, x, y) = p; turn(p, x, y) = false, x + y.
void AddLoopGraphs(Module& m) {
  Builder again(m, "again");
  Value* p = again.In(Bool());
  again.In(), again.In();
  again.Return({p});
  Builder turn(m, "turn");
  turn.In(Bool());
  Value* x = turn.In();
  Value* sum = turn.Op("Add", {x, turn.In()});
  turn.Return({Predicate(turn, false), sum});
}

void Fill(Builder& b, std::mt19937& rng, int size, bool calls) {
  auto pick = [&](size_t n) { return static_cast<size_t>(rng() % n); };
  std::vector<Value*> values;
  std::vector<Node*> effects;
  for (int i = 0; i < 3; ++i) values.push_back(b.In());
  std::vector<Value*> predicates;
  if (calls) predicates = {b.In(Bool()), Predicate(b, true), Predicate(b, false)};
  for (int i = 0; i < size; ++i) {
    auto any = [&] { return values[pick(values.size())]; };
    switch (pick(calls ? 15 : 12)) {
      case 0:
      case 1: {
        const int64_t k = static_cast<int64_t>(pick(3));
        values.push_back(b.C({k, -k, 1, 0}));
        break;
      }
      case 2:
      case 3: values.push_back(b.Op("Add", {any(), any()})); break;
      case 4: values.push_back(b.Op("Sub", {any(), any()})); break;
      case 5: values.push_back(b.Op("Relu", {any()})); break;
      case 6: values.push_back(b.Op("Scale", {any()}, {{"by", static_cast<int64_t>(2 + pick(2))}})); break;
      case 7: values.push_back(b.Op("View", {any()})); break;
      case 8: {
        Node* n = b.N("Twice", {any()});
        values.push_back(n->output(0));
        values.push_back(n->output(1));
        break;
      }
      case 9: values.push_back(b.Op("Generate", {})); break;
      case 10:
        effects.push_back(b.N("Effect", {any()}, {}, {}, effects));
        values.push_back(effects.back()->output());
        break;
      case 11:
        values.push_back(
            b.N("Relu", {any()}, {}, {}, effects.empty() ? std::vector<Node*>{} : std::vector<Node*>{effects[pick(effects.size())]})
                ->output());
        break;
      case 12:
        values.push_back(b.Op("PartitionedCall", {any(), any(), any()}, {{"f", Attr::GraphRef{"sub"}}, {"pure", true}}, {I64(4)}));
        break;
      case 13: {  // decided now, by the caller, or not before it runs
        Value* p = predicates[pick(predicates.size())];
        const AttrMap attrs{{"then_branch", Attr::GraphRef{"yes"}}, {"else_branch", Attr::GraphRef{"sub"}}, {"pure", pick(2) == 0}};
        values.push_back(b.Op("If", {p, any(), any(), any()}, attrs, {I64(4)}));
        break;
      }
      default: {  // two carried values and one extra operand; the predicate that goes in ends the loop after one turn at most
        Value* p = predicates[pick(predicates.size())];
        Node* n = b.N("While", {p, any(), any()},
                      {{"cond", Attr::GraphRef{"again"}}, {"body", Attr::GraphRef{"turn"}}, {"num_carried", 2}, {"pure", pick(2) == 0}},
                      {Bool(), I64(4)});
        values.push_back(n->output(1));
        break;
      }
    }
  }
  std::vector<Value*> results;
  const size_t count = calls ? 1 + pick(6) : 1;
  for (size_t i = 0; i < count; ++i) results.push_back(values[pick(values.size())]);
  b.Return(results);
}

TEST(RandomGraphs, ThePipelineKeepsValuesAndIdentities) {
  const PassRegistry registry = PassRegistry::WithBuiltins();
  const auto options = PassOptions::Parse({}, registry);
  ASSERT_TRUE(options.ok()) << options.message();
  int changed = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    std::mt19937 rng(seed);
    Module m(TestOps());
    Builder main(m), sub(m, "sub"), yes(m, "yes");
    AddLoopGraphs(m);
    Fill(main, rng, 5 + static_cast<int>(seed % 60), true);
    Fill(sub, rng, 10, false);
    Fill(yes, rng, 10, false);
    std::unique_ptr<Module> before = m.Clone();

    PassReport report;
    PotentialConsts marks;
    const PassContext context{.evaluator = &TestEngine(), .potential_consts = &marks};
    auto manager = BuildPipeline(registry, *options, context, {.verify = Verify, .check_changed_flag = true}, &report);
    ASSERT_TRUE(manager.ok());
    Status s = manager->Run(m, &report);
    ASSERT_TRUE(s.ok()) << "seed " << seed << ": " << s.message();
    for (const StageReport& stage : report.stages) EXPECT_TRUE(stage.converged) << "seed " << seed;
    ASSERT_LE(Work(m.entry()), Work(before->entry())) << "seed " << seed;
    changed += Work(m.entry()) < Work(before->entry());

    std::vector<Tensor> inputs;
    for (int i = 0; i < 3; ++i) inputs.push_back(Vec({static_cast<int64_t>(rng()), -static_cast<int64_t>(rng()), 0, INT64_MIN}));
    inputs.push_back(BoolTensor(seed % 2 != 0));
    auto expected = Evaluate(*before, inputs, TestEngine()), actual = Evaluate(m, inputs, TestEngine());
    ASSERT_TRUE(expected.ok()) << expected.message();
    ASSERT_TRUE(actual.ok()) << actual.message();
    ASSERT_EQ(expected->outputs.size(), actual->outputs.size());
    for (size_t i = 0; i < actual->outputs.size(); ++i) {
      ASSERT_EQ(expected->outputs[i], actual->outputs[i]) << "seed " << seed << ", result " << i;
      for (size_t k = 0; k < i; ++k) {
        const auto& old = before->entry().net_output()->inputs();
        const auto& now = m.entry().net_output()->inputs();
        ASSERT_EQ(old[i] == old[k], now[i] == now[k]) << "seed " << seed << ", results " << k << " and " << i;
      }
    }
    PassReport again;
    auto second = BuildPipeline(registry, *options, context, {}, &again);
    ASSERT_TRUE(second->Run(m, &again).ok());
    for (const StageReport& stage : again.stages)
      for (const PassRun& run : stage.passes) EXPECT_EQ(run.changes, 0) << "seed " << seed << ": " << run.pass << " in " << stage.stage;
  }
  EXPECT_GT(changed, 200);
}

}  // namespace
}  // namespace ge
