// Planning, loading and running whole graphs on the built-in host kernels, without PyTorch.
#include "npu_runtime/loaded_model.h"

#include <gtest/gtest.h>

#include <thread>

#include "ge_core/compile/compile.h"
#include "ge_core/ir/text.h"
#include "host_kernels/ops.h"
#include "npu_runtime/host_kernel_engine.h"
#include "npu_runtime/host_scalar_engine.h"
#include "npu_runtime/plain_host.h"

namespace ge {
namespace {

// Owns the memory of an input.
struct Input {
  std::vector<float> data;
  std::vector<int64_t> sizes, strides;
  Slot slot() {
    Slot s;
    s.kind = ValueType::Kind::kTensor;
    s.dtype = DType::kF32;
    s.ndim = static_cast<int32_t>(sizes.size());
    s.sizes = sizes.data();
    s.strides = strides.data();
    s.data = data.data();
    return s;
  }
};

class LoadedModelTest : public testing::Test {
 protected:
  void Load(std::string_view text, EngineList extra = {}) {
    Result<std::unique_ptr<Module>> module = ParseModule(text, HostOps());
    ASSERT_TRUE(module.ok()) << module.message();
    EngineList engines = std::move(extra);
    engines.push_back(&HostScalarEngine());
    engines.push_back(&kernels_);
    Result<CompiledModel> compiled = Compile(*std::move(module), engines);
    ASSERT_TRUE(compiled.ok()) << compiled.message();
    Result<std::unique_ptr<LoadedModel>> loaded = LoadedModel::Load(std::make_shared<CompiledModel>(*std::move(compiled)), device_);
    ASSERT_TRUE(loaded.ok()) << loaded.message();
    model_ = *std::move(loaded);
  }

  std::vector<Slot> Run(std::vector<Slot> inputs, const WeightSet* weights = nullptr) {
    std::vector<Slot> outputs;
    std::exception_ptr exception;
    Status s = model_->Run(inputs, outputs, weights, host_, 1, &exception);
    EXPECT_TRUE(s.ok()) << s.message();
    return outputs;
  }

  std::vector<Slot> RunOn(Slot input) {
    std::vector<Slot> inputs;
    inputs.push_back(std::move(input));
    return Run(std::move(inputs));
  }

  static std::vector<float> Floats(const Slot& s) {
    int64_t n = 1;
    for (int i = 0; i < s.ndim; ++i) n *= s.sizes[i];
    const float* data = static_cast<const float*>(s.data);
    return {data, data + n};
  }

  HostKernelEngine kernels_{HostKernels()};
  HostDevice device_;
  PlainHost host_;
  std::unique_ptr<LoadedModel> model_;
};

TEST_F(LoadedModelTest, RunsAChainAndUsesArenaMemoryAgain) {
  Load(R"(graph @g(%x: f32[64]) {
    %a = Neg(%x) : f32[64]
    %b = Abs(%a) : f32[64]
    %c = Neg(%b) : f32[64]
    %d = Abs(%c) : f32[64]
    %e = Neg(%d) : f32[64]
    return %e
  })");
  EXPECT_EQ(model_->plan().arena_bytes, 2 * 256);  // two buffers in turn, the result is fresh
  Input x{std::vector<float>(64, 3.0f), {64}, {1}};
  EXPECT_EQ(Floats(RunOn(x.slot())[0]), std::vector<float>(64, -3.0f));
}

TEST_F(LoadedModelTest, ResultsOfTwoRunsAreTwoTensors) {
  Load("graph @g(%x: f32[2]) {\n %c = Const [1, 2] : f32[2]\n %y = Add(%x, %c) : f32[2]\n return %y, %c, %y\n}");
  Input x{{10, 20}, {2}, {1}};
  std::vector<Slot> first = RunOn(x.slot()), second = RunOn(x.slot());
  EXPECT_NE(first[0].data, second[0].data);
  EXPECT_EQ(first[0].data, first[2].data);   // one value returned twice is one tensor
  EXPECT_NE(first[1].data, second[1].data);  // a constant is handed out as a copy
  static_cast<float*>(first[1].data)[0] = 99;
  EXPECT_EQ(Floats(RunOn(x.slot())[1]), (std::vector<float>{1, 2}));
}

TEST_F(LoadedModelTest, ReadsInputsOfOtherStrides) {
  Load("graph @g(%x: f32[2,3]) {\n %y = Neg(%x) : f32[2,3]\n return %y\n}");
  Input x{{1, 4, 2, 5, 3, 6}, {2, 3}, {1, 2}};
  EXPECT_EQ(Floats(RunOn(x.slot())[0]), (std::vector<float>{-1, -2, -3, -4, -5, -6}));
}

TEST_F(LoadedModelTest, BranchesAndLoops) {
  Load(R"(graph @main(%p: bool[], %x: f32[2]) {
    %y = If(%p, %x) {then_branch=@neg, else_branch=@same} : f32[2]
    %z = While(%y) {cond=@small, body=@twice, num_carried=1} : f32[2]
    return %y, %z
  }
  graph @neg(%x: f32[2]) {
    %y = Neg(%x) : f32[2]
    return %y
  }
  graph @same(%x: f32[2]) {
    return %x
  }
  graph @small(%x: f32[2]) {
    %ten = Const 10 : f32[]
    %axes = Const 0 : i64[1]
    %m = ReduceMax(%x, %axes) : f32[]
    %c = Less(%m, %ten) : bool[]
    return %c
  }
  graph @twice(%x: f32[2]) {
    %y = Add(%x, %x) : f32[2]
    return %y
  })");
  bool truth = true;
  const auto condition = [&] {
    Slot s;
    s.kind = ValueType::Kind::kTensor;
    s.dtype = DType::kBool;
    s.data = &truth;
    return s;
  };
  Input x{{-1, -3}, {2}, {1}};
  std::vector<Slot> inputs;
  inputs.push_back(condition());
  inputs.push_back(x.slot());
  std::vector<Slot> out = Run(std::move(inputs));
  EXPECT_EQ(Floats(out[0]), (std::vector<float>{1, 3}));
  EXPECT_EQ(Floats(out[1]), (std::vector<float>{4, 12}));
  truth = false;
  Input big{{5, 11}, {2}, {1}};
  inputs.clear();
  inputs.push_back(condition());
  inputs.push_back(big.slot());
  out = Run(std::move(inputs));
  EXPECT_EQ(Floats(out[1]), (std::vector<float>{5, 11}));
  EXPECT_NE(out[1].data, big.data.data());  // a loop without a turn returns a copy, not its operand
}

TEST_F(LoadedModelTest, ThreadsRunAtOnce) {
  Load("graph @g(%x: f32[256]) {\n %a = Neg(%x) : f32[256]\n %b = Abs(%a) : f32[256]\n %c = Add(%b, %x) : f32[256]\n return %c\n}");
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 1; t <= 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 50; ++i) {
        Input x{std::vector<float>(256, static_cast<float>(t)), {256}, {1}};
        std::vector<Slot> in, out;
        in.push_back(x.slot());
        std::exception_ptr exception;
        const Status s = model_->Run(in, out, nullptr, host_, 1, &exception);
        if (!s.ok() || Floats(out[0]) != std::vector<float>(256, 2.0f * static_cast<float>(t))) ++wrong;
      }
    });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(wrong, 0);
}

TEST_F(LoadedModelTest, WrongNumberOfInputsIsRefused) {
  Load("graph @g(%x: f32[2]) {\n %y = Neg(%x) : f32[2]\n return %y\n}");
  std::vector<Slot> none, outputs;
  std::exception_ptr exception;
  EXPECT_EQ(model_->Run(none, outputs, nullptr, host_, 1, &exception).code(), Code::kInvalidArgument);
}

class Reversal final : public Executable {
 public:
  Reversal(bool negate, int64_t count, int* runs) : negate_(negate), count_(count), runs_(runs) {}
  Status Run(KernelContext& k) const override {
    ++*runs_;
    for (int64_t i = 0; i < count_; ++i) {
      const float v = static_cast<const float*>(k.inputs[0]->data)[count_ - 1 - i];
      static_cast<float*>(k.outputs[0]->data)[i] = negate_ ? -v : v;
    }
    return {};
  }

 private:
  bool negate_;
  int64_t count_;
  int* runs_;
};

// An engine with a layout of its own: elements in reverse order.
class ReverseEngine final : public Engine {
 public:
  std::string_view name() const override { return "reverse"; }
  Support Supports(const Node& n) const override {
    const bool packed = n.num_inputs() == 1 && n.input(0)->type().layout.kind == StorageLayout::Kind::kPacked;
    return n.Is("TransData") || (n.Is("Neg") && packed) ? Support::Yes() : Support::No("not mine");
  }
  Result<std::unique_ptr<Executable>> Load(const Node& n) const override {
    return std::unique_ptr<Executable>(
        std::make_unique<Reversal>(n.Is("Neg"), n.output()->type().StaticNumElements(), n.Is("Neg") ? &negations : &packings));
  }
  mutable int packings = 0, negations = 0;
};

// x + -packed(w) * v, with `-packed(w)` and `v + v` known once the weights are.
constexpr std::string_view kTwoWeights = R"(graph @g(%x: f32[3], %w: f32[3] {weight=true}, %v: f32[3] {weight=true}) {
    %p = TransData(%w) : f32[3]{packed "reverse:12:r"}
    %n = Neg(%p) : f32[3]
    %d = Add(%v, %v) : f32[3]
    %m = Mul(%n, %d) : f32[3]
    %y = Add(%x, %n) : f32[3]
    %z = Add(%y, %m) : f32[3]
    return %z, %y
  })";

struct WeightSetTest : LoadedModelTest {
  void SetUp() override { Load(kTwoWeights, {&reverse_}); }
  std::vector<Slot> Inputs() {
    std::vector<Slot> in;
    for (Input* i : {&x_, &w_, &v_}) in.push_back(i->slot());
    return in;
  }
  std::shared_ptr<const WeightSet> Make(const WeightSet* previous = nullptr, std::vector<uint8_t> changed = {}) {
    std::exception_ptr exception;
    std::vector<Slot> in = Inputs();
    Result<std::shared_ptr<const WeightSet>> set = model_->MakeWeightSet(in, host_, 1, &exception, previous, changed);
    EXPECT_TRUE(set.ok()) << set.message();
    return set.ok() ? *set : nullptr;
  }
  std::vector<float> RunWith(const std::shared_ptr<const WeightSet>& set) { return Floats(Run(Inputs(), set.get())[0]); }

  ReverseEngine reverse_;
  Input x_{{10, 10, 10}, {3}, {1}}, w_{{1, 2, 3}, {3}, {1}}, v_{{1, 0, 2}, {3}, {1}};
};

TEST_F(WeightSetTest, WhatDependsOnWeightsAloneRunsOncePerSet) {
  EXPECT_EQ(model_->plan().weight_inputs, (std::vector<int>{1, 2}));
  EXPECT_EQ(model_->plan().weight_uses, (std::vector<WeightUse>{WeightUse::kStageOnly, WeightUse::kStageOnly}));
  EXPECT_EQ(model_->plan().weight_tasks.size(), 4u);
  EXPECT_EQ(model_->plan().tasks.size(), 2u);
  const auto set = Make();
  EXPECT_EQ(set->tasks_run(), 4);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(RunWith(set), (std::vector<float>{7, 8, -5}));
  EXPECT_EQ(reverse_.packings, 1);
  EXPECT_EQ(reverse_.negations, 1);
}

TEST_F(WeightSetTest, OnlyWhatDependsOnAChangeIsMadeAgain) {
  const auto first = Make();
  v_.data = {2, 0, 2};
  const auto second = Make(first.get(), {0, 1});
  EXPECT_EQ(second->tasks_run(), 2);  // the sum and the product; the negated weight is shared
  EXPECT_EQ(reverse_.packings, 1);
  EXPECT_EQ(RunWith(second), (std::vector<float>{5, 8, -5}));
  EXPECT_EQ(RunWith(first), (std::vector<float>{7, 8, -5}));  // goes on as it was
  w_.data = {0, 0, 1};
  const auto third = Make(second.get(), {1, 0});
  EXPECT_EQ(third->tasks_run(), 4);  // the sum is kept for nobody, so it is made again for the product
  EXPECT_EQ(RunWith(third), (std::vector<float>{10, 10, 5}));
  EXPECT_EQ(Make(third.get(), {0, 0})->tasks_run(), 0);
}

TEST_F(WeightSetTest, ASetWithoutADeadWeightServesAsABase) {
  auto set = Make();
  set = set->Without(std::vector<uint8_t>{0, 1});
  EXPECT_EQ(Make(set.get(), {0, 0})->tasks_run(), 2);
  set = set->Without(std::vector<uint8_t>{1, 0});
  EXPECT_EQ(Make(set.get(), {0, 0})->tasks_run(), 4);
}

TEST_F(WeightSetTest, ARunWithoutItsSetIsRefused) {
  std::vector<Slot> in = Inputs(), out;
  std::exception_ptr exception;
  EXPECT_EQ(model_->Run(in, out, nullptr, host_, 1, &exception).code(), Code::kFailedPrecondition);
}

TEST_F(LoadedModelTest, AHookSeesEveryTaskAndMayEndTheRun) {
  Load(R"(
graph @main(%x: f32[2]) {
  %a = Neg(%x) : f32[2]
  %b = Exp(%a) : f32[2]
  return %b
}
)");
  struct Hook final : TaskHook {
    std::vector<std::string> seen;
    int stop_after = 9;
    Status AfterTask(const GraphPlan& plan, const TaskPlan& task, std::span<Slot* const> inputs, std::span<Slot* const> outputs) override {
      EXPECT_EQ(plan.graph->name(), "main");
      EXPECT_EQ(inputs.size(), 1u);
      seen.push_back(std::string(task.node->op().name) + " " + std::to_string(static_cast<const float*>(outputs[0]->data)[0]));
      return static_cast<int>(seen.size()) == stop_after ? Internal("enough") : Status();
    }
  };
  const auto run = [&](Hook& hook) {
    Input x{{0, 1}, {2}, {1}};
    std::vector<Slot> inputs, outputs;
    inputs.push_back(x.slot());
    std::exception_ptr exception;
    return model_->Run(inputs, outputs, nullptr, host_, 1, &exception, &hook);
  };
  Hook all;
  EXPECT_TRUE(run(all).ok());
  EXPECT_EQ(all.seen, (std::vector<std::string>{"Neg -0.000000", "Exp 1.000000"}));
  Hook one;
  one.stop_after = 1;
  EXPECT_EQ(run(one).message(), "enough");
  EXPECT_EQ(one.seen.size(), 1u);
  Hook again;  // the run that ended early left nothing behind
  EXPECT_TRUE(run(again).ok());
}

}  // namespace
}  // namespace ge
