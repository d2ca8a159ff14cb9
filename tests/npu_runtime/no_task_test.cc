// Views that never run: the local engine's placement, the memory they share, and the answers of whole graphs.
#include <gtest/gtest.h>

#include "ge_core/compile/compile.h"
#include "ge_core/engine/plugin_loader.h"
#include "ge_core/engine/plugin_search.h"
#include "ge_core/ir/text.h"
#include "host_kernels/ops.h"
#include "npu_runtime/host_kernel_engine.h"
#include "npu_runtime/host_scalar_engine.h"
#include "npu_runtime/loaded_model.h"
#include "npu_runtime/plain_host.h"

namespace ge {
namespace {

class NoTaskTest : public testing::Test {
 protected:
  void SetUp() override {
    Result<std::vector<std::string>> files = LocalEngineFiles();
    ASSERT_TRUE(files.ok()) << files.message();
    for (const std::string& file : *files) {
      Result<const Plugin*> plugin = loader_.Load(file, {});
      ASSERT_TRUE(plugin.ok()) << plugin.message();
    }
    engines_ = {loader_.FindEngine("DNN_VM_GE_LOCAL"), &HostScalarEngine(), &kernels_};
  }

  Result<CompiledModel> CompileText(std::string_view text, const OptionMap& options) {
    Result<std::unique_ptr<Module>> module = ParseModule(text, HostOps());
    EXPECT_TRUE(module.ok()) << module.message();
    Result<PassOptions> parsed = PassOptions::Parse(options, registry_);
    EXPECT_TRUE(parsed.ok()) << parsed.message();
    const PassStates states(registry_, *parsed, reasons_);
    return Compile(*std::move(module), engines_, {}, &states);
  }
  void Load(std::string_view text, const OptionMap& options = {}) {
    Result<CompiledModel> compiled = CompileText(text, options);
    ASSERT_TRUE(compiled.ok()) << compiled.message();
    Result<std::unique_ptr<LoadedModel>> loaded = LoadedModel::Load(std::make_shared<CompiledModel>(*std::move(compiled)), device_);
    ASSERT_TRUE(loaded.ok()) << loaded.message();
    model_ = *std::move(loaded);
  }

  // Runs on one f32 vector of 6; the first result.
  std::vector<float> RunOn(std::vector<float> x) {
    const int64_t sizes[] = {6}, strides[] = {1};
    std::vector<Slot> inputs(1), outputs;
    inputs[0].kind = ValueType::Kind::kTensor;
    inputs[0].ndim = 1, inputs[0].sizes = sizes, inputs[0].strides = strides, inputs[0].data = x.data();
    std::exception_ptr exception;
    Status s = model_->Run(inputs, outputs, nullptr, host_, 1, &exception);
    EXPECT_TRUE(s.ok()) << s.message();
    int64_t n = 1;
    for (int i = 0; i < outputs.at(0).ndim; ++i) n *= outputs[0].sizes[i];
    const float* data = static_cast<const float*>(outputs[0].data);
    return {data, data + n};
  }
  std::string PlacementOf(const std::string& node) const {
    const auto& placement = model_->model().placement;
    return placement.contains(node) ? placement.at(node) : "(none)";
  }

  PluginLoader loader_;
  HostKernelEngine kernels_{HostKernels()};
  EngineList engines_;
  PassRegistry registry_ = PassRegistry::WithBuiltins();
  PassReasons reasons_;
  HostDevice device_;
  PlainHost host_;
  std::unique_ptr<LoadedModel> model_;
};

constexpr std::string_view kViewChain = R"(graph @g(%x: f32[6]) {
  %a = Neg(%x) : f32[6]
  %shape = Const [2, 3] : i64[2]
  %r = Reshape(%a, %shape) : f32[2,3]
  %u = Unsqueeze(%r) {axes=[0]} : f32[1,2,3]
  %b = Abs(%u) : f32[1,2,3]
  %c = Neg(%r) : f32[2,3]
  %d = Add(%b, %c) : f32[1,2,3]
  return %d
})";

TEST_F(NoTaskTest, AViewOfPlannedMemoryHasNoTaskAndKeepsItsSourceAlive) {
  Load(kViewChain);
  EXPECT_EQ(PlacementOf("r"), "DNN_VM_GE_LOCAL");
  EXPECT_EQ(PlacementOf("u"), "DNN_VM_GE_LOCAL");
  EXPECT_EQ(PlacementOf("x"), "DNN_VM_GE_LOCAL");
  EXPECT_EQ(PlacementOf("a"), "host_kernels (DNN_VM_GE_LOCAL: Neg is none of its operators; host_scalar: no host scalar operator)");
  const GraphPlan& plan = model_->plan();
  EXPECT_EQ(plan.tasks.size(), 4u);
  std::map<std::string, const ValuePlan*> by_name;
  for (const ValuePlan& v : plan.values) by_name[v.value->producer()->name()] = &v;
  EXPECT_EQ(by_name["r"]->offset, by_name["a"]->offset);
  EXPECT_EQ(by_name["u"]->offset, by_name["a"]->offset);
  EXPECT_EQ(by_name["u"]->alias_of, by_name["r"]->alias_of);
  // c reads %a's memory, through a view, after b was made: b must lie elsewhere.
  EXPECT_NE(by_name["b"]->offset, by_name["a"]->offset);
  EXPECT_EQ(RunOn({1, -2, 3, -4, 5, -6}), (std::vector<float>{2, 0, 6, 0, 10, 0}));
  EXPECT_EQ(RunOn({-1, 2, -3, 4, -5, 6}), (std::vector<float>{0, 4, 0, 8, 0, 12}));
}

TEST_F(NoTaskTest, ViewsOfOtherMemoryAreMadeAtRunTime) {
  Load(R"(graph @g(%x: f32[6]) {
    %shape = Const [3, 2] : i64[2]
    %r = Reshape(%x, %shape) : f32[3,2]
    %a = Neg(%r) : f32[3,2]
    %flat = FlattenV2(%a) {axis=0} : f32[6]
    return %flat
  })");
  EXPECT_EQ(PlacementOf("r"),
            "host_kernels (DNN_VM_GE_LOCAL: the memory of its operand 'x' is not planned; host_scalar: no host scalar operator)");
  EXPECT_EQ(PlacementOf("flat"), "host_kernels (DNN_VM_GE_LOCAL: its operand may leave the graph; host_scalar: no host scalar operator)");
  EXPECT_EQ(RunOn({1, 2, 3, 4, 5, 6}), (std::vector<float>{-1, -2, -3, -4, -5, -6}));
}

TEST_F(NoTaskTest, BitcastSharesBytes) {
  Load(R"(graph @g(%x: f32[6]) {
    %a = Neg(%x) : f32[6]
    %i = Bitcast(%a) {type=dtype(i32)} : i32[6]
    %f = Bitcast(%i) {type=dtype(f32)} : f32[6]
    %b = Abs(%f) : f32[6]
    return %b
  })");
  EXPECT_EQ(PlacementOf("i"), "DNN_VM_GE_LOCAL");
  EXPECT_EQ(model_->plan().tasks.size(), 2u);
  EXPECT_EQ(RunOn({1, -2, 3, -4, 5, -6}), (std::vector<float>{1, 2, 3, 4, 5, 6}));
}

TEST_F(NoTaskTest, ControlFlowIsTheLocalEnginesAndRuns) {
  Load(R"(graph @main(%x: f32[6]) {
    %yes = Const true : bool[]
    %a = Neg(%x) : f32[6]
    %y = If(%yes, %a) {then_branch=@neg, else_branch=@same} : f32[6]
    return %y
  }
  graph @neg(%x: f32[6]) {
    %y2 = Neg(%x) : f32[6]
    return %y2
  }
  graph @same(%x: f32[6]) {
    return %x
  })");
  EXPECT_EQ(PlacementOf("y"), "DNN_VM_GE_LOCAL");
  EXPECT_EQ(RunOn({1, 2, 3, 4, 5, 6}), (std::vector<float>{1, 2, 3, 4, 5, 6}));
}

constexpr std::string_view kIdentity = R"(graph @g(%x: f32[6]) {
  %i = Identity(%x) : f32[6]
  %a = Neg(%i) : f32[6]
  return %a
})";

TEST_F(NoTaskTest, WhatAPassShouldHaveRemovedFailsTheCompile) {
  Result<CompiledModel> compiled = CompileText(kIdentity, {});  // no pass ran, though identity-remove is on
  ASSERT_FALSE(compiled.ok());
  EXPECT_NE(compiled.message().find("pass 'identity-remove' removes it, which is on (ge.oo.level = O3) but left it without a reason"),
            std::string::npos)
      << compiled.message();
  EXPECT_NE(compiled.message().find("while engine DNN_VM_GE_LOCAL prepared Identity 'i'"), std::string::npos) << compiled.message();
  compiled = CompileText("graph @g(%x: f32[6], %p: bool[]) {\n %f, %t = Switch(%x, %p) : f32[6], f32[6]\n return %f\n}", {});
  ASSERT_FALSE(compiled.ok());
  EXPECT_NE(compiled.message().find("write the branch as If"), std::string::npos) << compiled.message();
}

TEST_F(NoTaskTest, WhereThePassIsOffTheHostKernelsRunTheNode) {
  Load(kIdentity, {{"ge.disableOptimizations", "identity-remove"}});
  EXPECT_EQ(PlacementOf("i"),
            "host_kernels (DNN_VM_GE_LOCAL: pass 'identity-remove' removes it, which is off (ge.disableOptimizations names it); "
            "host_scalar: no host scalar operator)");
  EXPECT_EQ(RunOn({1, 2, 3, 4, 5, 6}), (std::vector<float>{-1, -2, -3, -4, -5, -6}));
  Result<CompiledModel> strict = CompileText(kIdentity, {{"ge.disableOptimizations", "identity-remove"}, {"ge.local.strict", "true"}});
  ASSERT_FALSE(strict.ok());
  EXPECT_NE(strict.message().find("which is off (ge.disableOptimizations names it). ge.local.strict = true"), std::string::npos)
      << strict.message();
}

TEST_F(NoTaskTest, WhereThePassSaysWhyTheNodeStays) {
  reasons_["i"] = {"constant-folding: no", "identity-remove: its user keeps it"};
  Load(kIdentity);
  EXPECT_NE(PlacementOf("i").find("and left it: its user keeps it"), std::string::npos) << PlacementOf("i");
}

TEST_F(NoTaskTest, WithoutTheLocalEngineTheNextOneMakesTheViews) {
  engines_.erase(engines_.begin());
  Load(kViewChain);
  EXPECT_EQ(model_->plan().tasks.size(), 6u);
  EXPECT_EQ(RunOn({1, -2, 3, -4, 5, -6}), (std::vector<float>{2, 0, 6, 0, 10, 0}));
}

}  // namespace
}  // namespace ge
