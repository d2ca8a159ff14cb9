// Whole graphs on SimDevice: same values as the host, and every misdeed of a kernel and every injected fault is an error that
// names the task; nothing hangs.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numeric>
#include <thread>

#include "ge_core/compile/compile.h"
#include "ge_core/ir/text.h"
#include "host_kernels/ops.h"
#include "npu_runtime/host_kernel_engine.h"
#include "npu_runtime/host_scalar_engine.h"
#include "npu_runtime/plain_host.h"
#include "npu_runtime/sim_device.h"
#include "tests/npu_runtime/writing_engine.h"

namespace ge {
namespace {

// Owns the memory of an input.
struct Given {
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

Given Row(int64_t n) {
  Given g{std::vector<float>(static_cast<size_t>(n)), {n}, {1}};
  std::iota(g.data.begin(), g.data.end(), -3.0f);
  return g;
}

std::vector<float> Floats(const Slot& s) {
  std::vector<float> out(static_cast<size_t>(std::accumulate(s.sizes, s.sizes + s.ndim, int64_t{1}, std::multiplies<>())));
  std::memcpy(out.data(), s.data, out.size() * sizeof(float));
  return out;
}

// Takes Neg nodes and does what `deed` says with the operand's and the result's memory.
class RogueEngine final : public Engine {
 public:
  using Deed = std::function<Status(float* in, float* out, int64_t n)>;
  std::string_view name() const override { return "rogue"; }
  Support Supports(const Node& n) const override { return n.Is("Neg") && deed ? Support::Yes() : Support::No("not mine"); }
  Result<std::unique_ptr<Executable>> Load(const Node& n) const override {
    struct Task final : Executable {
      Status Run(KernelContext& k) const override {
        return (*deed)(static_cast<float*>(k.inputs[0]->data), static_cast<float*>(k.outputs[0]->data), n);
      }
      const Deed* deed;
      int64_t n;
    };
    auto t = std::make_unique<Task>();
    t->deed = &deed;
    t->n = n.output()->type().StaticNumElements();
    return std::unique_ptr<Executable>(std::move(t));
  }
  Deed deed;
};

void Negate(const float* in, float* out, int64_t n) {
  for (int64_t i = 0; i < n; ++i) out[i] = -in[i];
}

class DeviceRunTest : public testing::Test {
 protected:
  void SetUp() override { MakeSim({}); }
  void MakeSim(SimOptions options) {
    Result<std::unique_ptr<SimDevice>> d = SimDevice::Make(options);
    ASSERT_TRUE(d.ok()) << d.message();
    on_sim_.reset();
    sim_ = *std::move(d);
  }
  std::unique_ptr<LoadedModel> LoadOn(std::string_view text, Device& device) {
    Result<std::unique_ptr<Module>> module = ParseModule(text, HostOps());
    EXPECT_TRUE(module.ok()) << module.message();
    Result<CompiledModel> compiled = Compile(*std::move(module), EngineList{&rogue_, &HostScalarEngine(), &kernels_});
    EXPECT_TRUE(compiled.ok()) << compiled.message();
    Result<std::unique_ptr<LoadedModel>> loaded = LoadedModel::Load(std::make_shared<CompiledModel>(*std::move(compiled)), device);
    EXPECT_TRUE(loaded.ok()) << loaded.message();
    return loaded.ok() ? *std::move(loaded) : nullptr;
  }
  void Load(std::string_view text) {
    on_host_ = LoadOn(text, host_device_);
    on_sim_ = LoadOn(text, *sim_);
  }
  Status Run(const LoadedModel& model, std::vector<Given*> given, std::vector<Slot>& outputs) {
    std::vector<Slot> in;
    for (Given* g : given) in.push_back(g->slot());
    std::exception_ptr exception;
    std::shared_ptr<const WeightSet> weights;
    if (!model.plan().weight_tasks.empty()) {
      std::vector<Slot> all;
      for (Given* g : given) all.push_back(g->slot());
      Result<std::shared_ptr<const WeightSet>> set = model.MakeWeightSet(all, host_, 1, &exception);
      if (!set.ok()) return std::move(set).status();
      weights = *std::move(set);
    }
    return model.Run(in, outputs, weights.get(), host_, 1, &exception);
  }
  // The host's values, twice.
  void ExpectSame(std::vector<Given*> given) {
    std::vector<Slot> want, got;
    Status host = Run(*on_host_, given, want);
    ASSERT_TRUE(host.ok()) << host.message();
    for (int i = 0; i < 2; ++i) {
      Status sim = Run(*on_sim_, given, got);
      ASSERT_TRUE(sim.ok()) << sim.message();
      ASSERT_EQ(got.size(), want.size());
      for (size_t k = 0; k < want.size(); ++k) {
        EXPECT_EQ(Floats(got[k]), Floats(want[k])) << "result " << k;
        EXPECT_FALSE(sim_->memory().Contains(got[k].data)) << "result " << k << " lies in the device's memory";
      }
    }
  }
  // A run that fails with this text; the device is whole again after it.
  void ExpectError(std::vector<Given*> given, std::initializer_list<std::string_view> parts) {
    const int64_t before = sim_->memory().live_allocations();
    std::vector<Slot> outputs;
    const Status s = Run(*on_sim_, given, outputs);
    ASSERT_FALSE(s.ok());
    for (std::string_view part : parts) EXPECT_NE(s.message().find(part), std::string::npos) << part << "\n" << s.message();
    EXPECT_EQ(sim_->memory().live_allocations(), before);
  }

  HostKernelEngine kernels_{HostKernels()};
  RogueEngine rogue_;
  HostDevice host_device_;
  PlainHost host_;
  std::unique_ptr<SimDevice> sim_;
  std::unique_ptr<LoadedModel> on_host_, on_sim_;
};

constexpr std::string_view kChain = R"(graph @g(%x: f32[64]) {
  %a = Abs(%x) : f32[64]
  %b = Neg(%a) : f32[64]  loc("model.py:7")
  %c = Abs(%b) : f32[64]
  return %c
})";

// Four independent chains that meet.
constexpr std::string_view kBranches = R"(graph @g(%x: f32[64]) {
  %a = Abs(%x) : f32[64]
  %b1 = Exp(%a) : f32[64]
  %c1 = Square(%a) : f32[64]
  %d1 = Exp(%a) : f32[64]
  %e1 = Abs(%x) : f32[64]
  %b2 = Neg(%b1) : f32[64]
  %c2 = Neg(%c1) : f32[64]
  %d2 = Neg(%d1) : f32[64]
  %e2 = Neg(%e1) : f32[64]
  %p = Add(%b2, %c2) : f32[64]
  %q = Add(%d2, %e2) : f32[64]
  %y = Add(%p, %q) : f32[64]
  return %y, %q, %x
})";

TEST_F(DeviceRunTest, SameValuesAsTheHost) {
  Load(kBranches);
  Given x = Row(64);
  ExpectSame({&x});
  EXPECT_EQ(sim_->memory().live_allocations(), 0);
}

TEST_F(DeviceRunTest, ConstantsWeightsStridesAndEmptyTensors) {
  Load(R"(graph @g(%x: f32[2,3], %w: f32[2,3] {weight=true}, %n: f32[0,3]) {
    %c = Const [[1, 2, 3], [4, 5, 6]] : f32[2,3]
    %t = Mul(%w, %c) : f32[2,3]
    %d = Const 3 : f32[2,3]
    %s = Mul(%x, %d) : f32[2,3]
    %y = Add(%s, %t) : f32[2,3]
    %z = Abs(%n) : f32[0,3]
    return %y, %c, %z, %w
  })");
  Given x{{1, 4, 2, 5, 3, 6}, {2, 3}, {1, 2}}, w{{1, 1, 2, 2, 3, 3}, {2, 3}, {3, 1}}, n{{}, {0, 3}, {3, 1}};
  ExpectSame({&x, &w, &n});
  EXPECT_EQ(sim_->memory().live_allocations(), 1);  // the constant that stays
  on_sim_.reset();
  EXPECT_EQ(sim_->memory().live_allocations(), 0);
}

TEST_F(DeviceRunTest, BranchesAndLoops) {
  Load(R"(graph @main(%x: f32[2]) {
    %zero = Const 0 : f32[]
    %axes = Const 0 : i64[1]
    %m = ReduceMax(%x, %axes) : f32[]
    %p = Less(%m, %zero) : bool[]
    %y = If(%p, %x) {then_branch=@neg, else_branch=@same} : f32[2]
    %z = While(%y) {cond=@small, body=@twice, num_carried=1} : f32[2]
    %u = Abs(%z) : f32[2]
    return %y, %z, %u
  }
  graph @neg(%x: f32[2]) {
    %y = Abs(%x) : f32[2]
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
  for (std::vector<float> data : {std::vector<float>{-1, -3}, {5, 11}, {1, 2}}) {
    Given x{data, {2}, {1}};
    ExpectSame({&x});
  }
}

TEST_F(DeviceRunTest, ShapeResultsAreCopiedToTheHost) {
  Load(R"(graph @g(%x: f32[2,3]) {
    %a = Neg(%x) : f32[2,3]
    %s = Shape(%a) : i32[2]
    return %s
  })");
  Given x = Row(6);
  x.sizes = {2, 3}, x.strides = {3, 1};
  std::vector<Slot> out;
  Status s = Run(*on_sim_, {&x}, out);
  ASSERT_TRUE(s.ok()) << s.message();
  EXPECT_FALSE(sim_->memory().Contains(out[0].data));
  const auto* shape = static_cast<const int32_t*>(out[0].data);
  EXPECT_EQ(shape[0], 2);
  EXPECT_EQ(shape[1], 3);
}

TEST_F(DeviceRunTest, CallsFromSeveralThreads) {
  Load(kBranches);
  Given x = Row(64);
  std::vector<Slot> want;
  ASSERT_TRUE(Run(*on_host_, {&x}, want).ok());
  std::vector<std::thread> callers;
  std::atomic<int> same{0};
  for (int i = 0; i < 4; ++i)
    callers.emplace_back([&] {
      for (int k = 0; k < 10; ++k) {
        std::vector<Slot> got;
        if (Run(*on_sim_, {&x}, got).ok() && Floats(got[0]) == Floats(want[0])) ++same;
      }
    });
  for (std::thread& t : callers) t.join();
  EXPECT_EQ(same, 40);
}

TEST_F(DeviceRunTest, MemoryHoldsNaNsUntilItIsWritten) {
  rogue_.deed = [](float*, float*, int64_t) { return Status(); };  // writes nothing
  Load(kChain);
  Given x = Row(64);
  std::vector<Slot> out;
  ASSERT_TRUE(Run(*on_sim_, {&x}, out).ok());
  for (float f : Floats(out[0])) EXPECT_TRUE(std::isnan(f));
}

TEST_F(DeviceRunTest, WritesOutsideThePlanAreFound) {
  Given x = Row(64);
  // Into another value of the arena: the operand.
  rogue_.deed = [](float* in, float* out, int64_t n) { return Negate(in, out, n), in[3] = 1e6f, Status(); };
  Load(kChain);
  ExpectError({&x}, {"sim: task Neg", "model.py:7", "wrote outside its plan", "belongs to value", "Abs"});
  // Past the end of the arena: its fence.
  std::byte* end = nullptr;
  rogue_.deed = [&](float* in, float* out, int64_t n) {
    Negate(in, out, n);
    auto* p = reinterpret_cast<std::byte*>(std::max(in, out) + n);
    while (sim_->memory().Owns(p, 1)) ++p;
    end = p;
    *p = std::byte{1};
    return Status();
  };
  ExpectError({&x}, {"after task Neg", "model.py:7", "write outside an allocation"});
  EXPECT_NE(end, nullptr);
  // Before its beginning.
  rogue_.deed = [&](float* in, float* out, int64_t n) {
    Negate(in, out, n);
    auto* p = reinterpret_cast<std::byte*>(std::min(in, out));
    while (sim_->memory().Owns(p - 1, 1)) --p;
    p[-1] = std::byte{1};
    return Status();
  };
  ExpectError({&x}, {"write outside an allocation", "offset -1 "});
  // One element past an input that is a buffer of its own.
  Load("graph @g(%x: f32[5]) {\n %y = Neg(%x) : f32[5]\n return %y\n}");
  rogue_.deed = [](float* in, float* out, int64_t n) { return Negate(in, out, n), in[n] = 1, Status(); };
  Given five = Row(5);
  ExpectError({&five}, {"after task Neg", "write outside an allocation", "offset 20 of the allocation of 20 bytes"});
}

TEST_F(DeviceRunTest, ValuesThatAreNeededNoMoreArePoisoned) {
  std::vector<float> seen;
  float* first_operand = nullptr;
  rogue_.deed = [&](float* in, float* out, int64_t n) {
    if (first_operand) seen.assign(first_operand, first_operand + 4);  // of the Neg before: use after its last use
    first_operand = in;
    return Negate(in, out, n), Status();
  };
  // A third live value keeps the dead one's place from being used again.
  Load(R"(graph @g(%x: f32[64]) {
    %a = Abs(%x) : f32[64]
    %b = Neg(%a) : f32[64]
    %c = Neg(%b) : f32[64]
    %d = Abs(%c) : f32[64]
    return %d
  })");
  Given x = Row(64);
  std::vector<Slot> out;
  Status s = Run(*on_sim_, {&x}, out);
  ASSERT_TRUE(s.ok()) << s.message();
  ASSERT_EQ(seen.size(), 4u);
  for (float f : seen) EXPECT_TRUE(std::isnan(f));
}

TEST_F(DeviceRunTest, WritesToTheMemoryOfAnEarlierRunAreFound) {
  float* old = nullptr;
  rogue_.deed = [&](float* in, float* out, int64_t n) {
    if (old) old[0] = 7;
    old = out;
    return Negate(in, out, n), Status();
  };
  Load(kChain);
  Given x = Row(64);
  std::vector<Slot> out;
  ASSERT_TRUE(Run(*on_sim_, {&x}, out).ok());
  ExpectError({&x}, {"after task Neg", "write to freed memory"});
}

TEST_F(DeviceRunTest, AnyAllocationMayFail) {
  Load(kBranches);
  Given x = Row(64);
  int failures = 0;
  for (int64_t n = 0;; ++n) {
    ASSERT_LT(n, 100);
    sim_->SetFaults({.fail_allocation = n});
    std::vector<Slot> out;
    const Status s = Run(*on_sim_, {&x}, out);
    EXPECT_EQ(sim_->memory().live_allocations(), 0);
    if (s.ok()) break;
    ++failures;
    EXPECT_NE(s.message().find("out of memory"), std::string::npos) << s.message();
    EXPECT_NE(s.message().find("graph 'g'"), std::string::npos) << s.message();
  }
  EXPECT_GE(failures, 4);  // arena, input, two results
  sim_->SetFaults({});
  ExpectSame({&x});
}

TEST_F(DeviceRunTest, ConstantsThatFindNoMemoryFailTheLoad) {
  Result<std::unique_ptr<Module>> module =
      ParseModule("graph @g(%x: f32[2]) {\n %c = Const [1, 2] : f32[2]\n %y = Add(%x, %c) : f32[2]\n return %y\n}", HostOps());
  ASSERT_TRUE(module.ok());
  Result<CompiledModel> compiled = Compile(*std::move(module), EngineList{&kernels_});
  ASSERT_TRUE(compiled.ok());
  sim_->SetFaults({.fail_allocation = 0});
  Result<std::unique_ptr<LoadedModel>> loaded = LoadedModel::Load(std::make_shared<CompiledModel>(*std::move(compiled)), *sim_);
  ASSERT_FALSE(loaded.ok());
  EXPECT_NE(loaded.message().find("out of memory"), std::string::npos) << loaded.message();
}

TEST_F(DeviceRunTest, AnyKernelMayFail) {
  Load(kBranches);
  Given x = Row(64);
  const auto tasks = static_cast<int64_t>(on_sim_->plan().tasks.size());
  ASSERT_GE(tasks, 12);
  for (int64_t n = 0; n < tasks; ++n) {
    sim_->SetFaults({.fail_task = n});
    ExpectError({&x}, {"in task ", "kernel failure"});
  }
  sim_->SetFaults({});
  ExpectSame({&x});
  rogue_.deed = [](float*, float*, int64_t) { return FailedPrecondition("no luck"); };
  Load(kBranches);
  ExpectError({&x}, {"no luck"});
}

TEST_F(DeviceRunTest, ADelayedStreamChangesNothing) {
  Given x = Row(64);
  for (const bool check : {true, false}) {
    MakeSim({.num_streams = 3, .check_arena = check});
    Load(kBranches);
    for (int stream = 0; stream < 3; ++stream) {
      sim_->SetFaults({.delay_stream = stream, .delay_microseconds = 2000});
      ExpectSame({&x});
    }
  }
}

TEST_F(DeviceRunTest, WrongCallsAreRefused) {
  Load(kChain);
  std::vector<Slot> out;
  std::exception_ptr exception;
  const Status s = on_sim_->Run({}, out, nullptr, host_, 1, &exception);
  ASSERT_FALSE(s.ok());
  EXPECT_NE(s.message().find("takes 1 inputs, 0 were given"), std::string::npos) << s.message();
}

TEST_F(DeviceRunTest, WrittenInputsComeBack) {
  const WritingEngine writing;
  Result<std::unique_ptr<Module>> module = ParseModule(R"(graph @g(%x: f32[4], %y: f32[4]) {
    %n = Abs(%y) : f32[4]
    %a = Assign(%x, %n) : f32[4]
    %b = Abs(%a) : f32[4]
    return %b
  })", HostOps());
  ASSERT_TRUE(module.ok()) << module.message();
  Result<CompiledModel> compiled = Compile(*std::move(module), EngineList{&writing, &kernels_});
  ASSERT_TRUE(compiled.ok()) << compiled.message();
  Result<std::unique_ptr<LoadedModel>> loaded = LoadedModel::Load(std::make_shared<CompiledModel>(*std::move(compiled)), *sim_);
  ASSERT_TRUE(loaded.ok()) << loaded.message();
  Given x = Row(4), y{{-5, 6, -7, 8}, {4}, {1}};
  std::vector<Slot> out;
  const Status s = Run(**loaded, {&x, &y}, out);
  ASSERT_TRUE(s.ok()) << s.message();
  EXPECT_EQ(x.data, (std::vector<float>{5, 6, 7, 8}));
  EXPECT_EQ(y.data, (std::vector<float>{-5, 6, -7, 8}));
  EXPECT_EQ(Floats(out[0]), x.data);
}

}  // namespace
}  // namespace ge
