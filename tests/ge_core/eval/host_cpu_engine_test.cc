// HostCpuEngine: its two levels, and libraries that are absent, strange or broken.
#include "ge_core/eval/host_cpu_engine.h"

#include <gtest/gtest.h>

#include <thread>

#include "ge_core/eval/op_kernel_registry.h"
#include "ge_core/passes/fold/constant_folding_pass.h"
#include "tests/ge_core/passes/test_graphs.h"

namespace ge {
namespace {
using namespace ge::testing;
using Level = HostCpuEngine::Level;

// Built from tests/ge_core/eval/libraries.
std::string Library(const std::string& name) { return std::string(GE_TEST_LIBRARY_DIR) + "/libtest_host_cpu_" + name + ".so"; }

struct Engine : ::testing::Test {
  Module m{TestOps()};
  Builder b{m};
  const Tensor x = Vec({1, 2, 3, 4});

  Result<HostCpuEngine::Evaluation> Run(const HostCpuEngine& engine, std::string_view op, int inputs = 1) {
    const std::vector<const Tensor*> operands(static_cast<size_t>(inputs), &x);
    std::vector<Value*> values;
    for (int i = 0; i < inputs; ++i) values.push_back(b.In());
    return engine.Run(*b.N(op, values), operands);
  }
};

TEST_F(Engine, AMissingLibraryIsASmallerSystem) {
  const HostCpuEngine engine(&TestKernels(), std::string("/no/such/folder/libconstant_folding_ops.so"));
  EXPECT_FALSE(engine.has_library());
  EXPECT_NE(engine.library_reason().find("/no/such/folder"), std::string::npos) << engine.library_reason();
  auto r = Run(engine, "Add", 2);
  ASSERT_TRUE(r.ok()) << r.message();
  EXPECT_EQ(r->level, Level::kKernels);
  EXPECT_EQ(r->outputs[0], Vec({2, 4, 6, 8}));
}

TEST_F(Engine, ALibraryWithoutTheSymbolOrTheTableIsNotUsed) {
  for (const char* name : {"no_symbol", "no_table"}) {
    const HostCpuEngine engine(&TestKernels(), Library(name));
    EXPECT_FALSE(engine.has_library());
    EXPECT_NE(engine.library_reason().find(kHostCpuSymbol), std::string::npos) << engine.library_reason();
    EXPECT_TRUE(Run(engine, "Add", 2).ok());
  }
}

TEST_F(Engine, ALibraryOfAnotherInterfaceVersionIsNotUsed) {
  const HostCpuEngine engine(&TestKernels(), Library("other_abi"));
  EXPECT_FALSE(engine.has_library());
  EXPECT_NE(engine.library_reason().find("version"), std::string::npos) << engine.library_reason();
  EXPECT_TRUE(Run(engine, "Add", 2).ok());
}

TEST_F(Engine, AStubWithoutKernelsLeavesEverythingToLevelTwo) {
  const HostCpuEngine engine(&TestKernels(), Library("stub"));
  EXPECT_TRUE(engine.has_library()) << engine.library_reason();
  auto r = Run(engine, "Add", 2);
  ASSERT_TRUE(r.ok()) << r.message();
  EXPECT_EQ(r->level, Level::kKernels);
  EXPECT_EQ(Run(engine, "NoKernel").code(), Code::kUnimplemented);
  EXPECT_TRUE(engine.statistics(Level::kLibrary).empty());  // it answered nothing
}

TEST_F(Engine, WhatALevelOneKernelAnswersIsFinal) {
  const HostCpuEngine engine(&TestKernels(), Library("misbehaves"));
  auto r = Run(engine, "NoKernel");
  ASSERT_TRUE(r.ok()) << r.message();
  EXPECT_EQ(r->level, Level::kLibrary);
  // Level 2 has kernels for all of these; a failure of level 1 must not become a value.
  struct {
    const char* op;
    int inputs;
    Code code;
    const char* text;
  } faults[] = {{"Add", 2, Code::kInvalidArgument, "fails on these values"},
                {"Sub", 2, Code::kInternal, "thrown by the library"},
                {"Div", 2, Code::kFailedPrecondition, "memory ran out"},
                {"Relu", 1, Code::kFailedPrecondition, "memory ran out"},
                {"Scale", 1, Code::kInternal, "unknown type"},
                {"View", 1, Code::kInternal, "0 outputs"},
                {"Twice", 1, Code::kInternal, "1 outputs"},
                {"Generate", 0, Code::kInternal, "i64[2]"}};
  for (const auto& f : faults) {
    auto failed = Run(engine, f.op, f.inputs);
    ASSERT_FALSE(failed.ok()) << f.op;
    EXPECT_EQ(failed.code(), f.code) << failed.message();
    EXPECT_NE(failed.message().find(f.text), std::string::npos) << failed.message();
  }
}

TEST_F(Engine, ANodeThatCannotBeComputedStaysWithTheReason) {
  const HostCpuEngine engine(&TestKernels(), Library("misbehaves"));
  Node* n = b.N("Sub", {b.C({1, 2, 3, 4}), b.C({1, 1, 1, 1})});
  Graph& g = b.Return({n->output()});
  FoldReport report;
  ConstantFoldingPass pass(PassContext{.evaluator = &engine, .fold_report = &report});
  EXPECT_FALSE(RunNodePass(pass, g));
  EXPECT_EQ(CountOf(g, "Sub"), 1);
  EXPECT_NE(WhyNot(pass, *n).find("thrown by the library"), std::string::npos) << WhyNot(pass, *n);
}

TEST_F(Engine, AResultOverTheLimitIsNotComputed) {
  HostCpuEngine engine(&TestKernels());
  engine.set_limits({.max_result_bytes = 32});
  EXPECT_TRUE(Run(engine, "Add", 2).ok());
  auto r = Run(engine, "Twice");  // two results of 32 bytes
  ASSERT_FALSE(r.ok());
  EXPECT_EQ(r.code(), Code::kFailedPrecondition);
  EXPECT_NE(r.message().find("limit of 32 bytes"), std::string::npos) << r.message();
}

TEST_F(Engine, SizesBeyondMemoryAndBeyondSixtyFourBitsAreFailures) {
  HostCpuEngine engine(&HostKernels());
  engine.set_limits({.max_result_bytes = std::numeric_limits<int64_t>::max()});
  Module real(HostOps());
  Builder g(real);
  const float one = 1;
  const Tensor value = Tensor::Of<float>(DType::kF32, {}, std::span<const float>(&one, 1));
  std::vector<std::vector<int64_t>> cases = {{int64_t{1} << 40, int64_t{1} << 40}, {3, int64_t{1} << 62}};
#ifndef __SANITIZE_ADDRESS__  // whose allocator ends the process instead of returning null
  cases.push_back({int64_t{1} << 60});
#endif
  for (const std::vector<int64_t>& dims : cases) {
    const Tensor shape = Vec(dims);
    Node* n = g.N("Fill", {g.graph().CreateConst(shape)->output(), g.graph().CreateConst(value)->output()});
    const Tensor* inputs[] = {&shape, &value};
    auto r = engine.Run(*n, inputs);
    ASSERT_FALSE(r.ok());
    EXPECT_EQ(r.code(), Code::kFailedPrecondition) << r.message();
  }
  const Tensor empty = Vec({int64_t{1} << 40, int64_t{1} << 40, 0});
  Node* n = g.N("Fill", {g.graph().CreateConst(empty)->output(), g.graph().CreateConst(value)->output()});
  const Tensor* inputs[] = {&empty, &value};
  EXPECT_EQ(engine.Run(*n, inputs).code(), Code::kOk);
}

TEST_F(Engine, EachLevelAlone) {
  const HostCpuEngine engine(&TestKernels(), Library("misbehaves"));
  Node* add = b.N("Add", {b.In(), b.In()});
  Node* keep = b.N("Keep", {b.In()});
  const Tensor* inputs[] = {&x, &x};
  EXPECT_EQ(engine.RunHostCpuKernel(*add, inputs).code(), Code::kInvalidArgument);
  EXPECT_EQ(engine.RunHostCpuKernel(*keep, {inputs, 1}).code(), Code::kUnimplemented);
  auto r = engine.RunBuiltInKernel(*add, inputs);
  ASSERT_TRUE(r.ok()) << r.message();
  EXPECT_EQ((*r)[0], Vec({2, 4, 6, 8}));
  EXPECT_EQ(HostCpuEngine(&TestKernels()).RunHostCpuKernel(*add, inputs).code(), Code::kUnimplemented);
}

TEST_F(Engine, CallsAndTimeAreCountedByLevelAndOperator) {
  const HostCpuEngine engine(&TestKernels(), Library("misbehaves"));
  EXPECT_TRUE(Run(engine, "Keep").ok());      // level 1 has no kernel
  EXPECT_FALSE(Run(engine, "Add", 2).ok());   // level 1 answers
  EXPECT_TRUE(Run(engine, "NoKernel").ok());  // level 1 answers
  EXPECT_TRUE(Run(engine, "NoKernel").ok());
  const HostCpuEngine::Statistics first = engine.statistics(Level::kLibrary), second = engine.statistics(Level::kKernels);
  ASSERT_EQ(first.size(), 2u);
  EXPECT_EQ(first.at("Add").calls, 1);
  EXPECT_EQ(first.at("NoKernel").calls, 2);
  EXPECT_GT(first.at("NoKernel").seconds, 0);
  ASSERT_EQ(second.size(), 1u);
  EXPECT_EQ(second.at("Keep").calls, 1);
}

TEST_F(Engine, ThreadsMayShareIt) {
  const HostCpuEngine engine(&TestKernels(), Library("stub"));
  Node* add = b.N("Add", {b.In(), b.In()});
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      const Tensor* inputs[] = {&x, &x};
      for (int i = 0; i < 100; ++i) EXPECT_TRUE(engine.Run(*add, inputs).ok());
    });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(engine.statistics(Level::kKernels).at("Add").calls, 400);
}

TEST(OpKernelRegistry, WhichLevelHasAKernel) {
  const HostCpuEngine with(&HostKernels(), Library("stub")), without(&HostKernels());
  const auto levels = [](const HostCpuEngine& engine, std::string_view op) { return OpKernelRegistry(engine).Levels(*HostOps().Find(op)); };
  using Levels = std::vector<Level>;
  EXPECT_EQ(levels(with, "Add"), (Levels{Level::kLibrary, Level::kKernels}));
  EXPECT_EQ(levels(without, "Add"), (Levels{Level::kKernels}));
  EXPECT_EQ(levels(with, "Shape"), (Levels{Level::kKernels}));  // no ATen form
  EXPECT_EQ(levels(with, "TopKV2"), (Levels{Level::kLibrary}));
  EXPECT_EQ(levels(without, "TopKV2"), Levels{});
  EXPECT_EQ(levels(with, "AtenCall"), (Levels{Level::kLibrary}));
  for (const char* op : {"Const", "Data", "If", "Switch", "Merge", "AscendWeightQuant"}) EXPECT_EQ(levels(with, op), Levels{}) << op;
}

}  // namespace
}  // namespace ge
