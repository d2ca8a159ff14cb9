// The local engine as placement sees it, from its two libraries: operator lists, kernel builder, operators that passes remove.
#include <gtest/gtest.h>

#include <deque>
#include <set>

#include "ge_core/engine/plugin_loader.h"
#include "ge_core/engine/plugin_search.h"
#include "ge_core/ir/text.h"
#include "host_kernels/ops.h"

namespace ge {
namespace {

constexpr std::string_view kCompileToNothing[] = {
    "Data",        "RefData",       "QueueData", "AippData",       "NoOp",           "Variable",        "Constant",
    "Const",       "ControlTrigger", "Merge",     "FileConstant",   "ConstPlaceHolder", "If",             "_If",
    "StatelessIf", "Case",          "StatelessCase", "While",       "_While",         "StatelessWhile",  "For",
    "PartitionedCall", "StatefulPartitionedCall", "OpTiling", "ConditionCalc", "UnfedData", "Stack",     "StackPush",
    "StackPop",    "StackClose",    "Reshape",   "Bitcast",        "PhonyConcat",    "PhonySplit",      "Flatten",
    "FlattenV2",   "ExpandDims",    "ReFormat",  "Squeeze",        "Unsqueeze",      "SqueezeV2",       "UnsqueezeV2",
    "SqueezeV3",   "UnsqueezeV3"};
// Type -> the pass that removes it; "none": nothing on the host runs it, whatever the passes do.
constexpr std::pair<std::string_view, std::string_view> kRemovedByPasses[] = {
    {"TemporaryVariable", "none"},          {"DestroyTemporaryVariable", "none"}, {"GuaranteeConst", "identity-remove"},
    {"PreventGradient", "identity-remove"}, {"StopGradient", "identity-remove"},  {"Size", "dimension-compute"},
    {"Shape", "dimension-compute"},         {"ShapeN", "dimension-compute"},      {"Rank", "dimension-compute"},
    {"_Retval", "none"},                    {"ReadVariableOp", "none"},           {"VarHandleOp", "none"},
    {"VarIsInitializedOp", "none"},         {"Snapshot", "identity-remove"},      {"RefIdentity", "none"},
    {"Identity", "identity-remove"},        {"IdentityN", "identity-remove"},     {"VariableV2", "none"},
    {"Empty", "constant-folding"},          {"PlaceholderWithDefault", "identity-remove"},
    {"IsVariableInitialized", "none"},      {"PlaceholderV2", "none"},            {"Placeholder", "none"},
    {"End", "none"},                        {"Switch", "none"},                   {"RefMerge", "none"},
    {"RefSwitch", "none"},                  {"TransShape", "none"},               {"GatherShapes", "dimension-compute"}};
constexpr std::string_view kReuseInput0[] = {"Bitcast",   "Flatten",   "FlattenV2", "ExpandDims",  "ReFormat",   "Squeeze",
                                             "SqueezeV2", "SqueezeV3", "Unsqueeze", "UnsqueezeV2", "UnsqueezeV3"};

// Every type of the lists with any operands and results: the engine goes by the type.
const OpTable& AnyShapeOps() {
  static const OpTable table([] {
    static std::deque<OpDef> defs;
    std::vector<const OpDef*> out{HostOps().Find("NetOutput")};
    const auto add = [&](std::string_view type) {
      const OpDef* known = HostOps().Find(type);
      if (known && known->Has(kSkeleton)) return out.push_back(known);
      defs.push_back(OpDef(type).VariadicInput("x").VariadicOutput("y"));
      defs.back() = defs.back().Optional("value", AttrKind::kAny).Optional("length", AttrKind::kInt);
      out.push_back(&defs.back());
    };
    for (std::string_view type : kCompileToNothing) add(type);
    for (const auto& [type, pass] : kRemovedByPasses) add(type);
    add("Add");
    return out;
  }());
  return table;
}

// Answers what a test says, and keeps what the engine reports.
struct FakeContext final : TaskContext {
  PassState state;
  bool strict = false;
  mutable std::string asked;
  std::string handed_on;
  PassState StateOf(std::string_view pass, const Node&) const override {
    asked = pass;
    return state;
  }
  std::string OptionValue(std::string_view key) const override { return key == "ge.local.strict" && strict ? "true" : ""; }
  void HandOn(std::string why) override { handed_on = std::move(why); }
};
const PassState kPassOn{.known = true, .on = true, .gate = "ge.oo.level = O3"};
const PassState kPassOff{.known = true, .on = false, .gate = "ge.disableOptimizations names it"};

class LocalEngineTest : public testing::Test {
 protected:
  void SetUp() override {
    Result<std::vector<std::string>> files = LocalEngineFiles();
    ASSERT_TRUE(files.ok()) << files.message();
    ASSERT_EQ(files->size(), 2u);
    for (const std::string& file : *files) {
      Result<const Plugin*> plugin = loader_.Load(file, {});
      ASSERT_TRUE(plugin.ok()) << plugin.message();
    }
    engine_ = loader_.FindEngine("DNN_VM_GE_LOCAL");
    ASSERT_NE(engine_, nullptr);
    ASSERT_NE(engine_->builder(), nullptr);
    graph_ = *module_.AddGraph("main");
    x_ = graph_->AddInput(*ParseType("f32[2,3]"))->output();
  }

  Node& Make(std::string_view op, const std::vector<std::string>& types, AttrMap attrs = {}, std::vector<Value*> inputs = {}) {
    Graph::NodeSpec spec{.op = op, .inputs = std::move(inputs), .attrs = std::move(attrs), .name = "n", .loc = "model.py:7"};
    for (const std::string& t : types) spec.types.push_back(*ParseType(t));
    Result<Node*> node = graph_->Create(std::move(spec));
    EXPECT_TRUE(node.ok()) << node.message();
    return **node;
  }
  int64_t Bytes(const Node& node) {
    Result<OpRunningParam> param = engine_->builder()->CalcOpRunningParam(*graph_, node);
    EXPECT_TRUE(param.ok()) << param.message();
    return param.ok() && !param->skipped ? param->outputs.at(0).bytes : -2;
  }
  Status Generate(Node& node, FakeContext& context) { return engine_->builder()->GenerateTask(*graph_, node, context); }

  PluginLoader loader_;
  const PluginEngine* engine_ = nullptr;
  Module module_{AnyShapeOps()};
  Graph* graph_ = nullptr;
  Value* x_ = nullptr;
};

#define EXPECT_HAS(message, part) EXPECT_NE((message).find(part), std::string::npos) << (message)

TEST_F(LocalEngineTest, ListsEveryTypeAtNoCost) {
  std::set<std::string_view> types(std::begin(kCompileToNothing), std::end(kCompileToNothing));
  EXPECT_EQ(types.size(), 44u);
  for (const auto& [type, pass] : kRemovedByPasses) types.insert(type);
  EXPECT_EQ(types.size(), 44u + 29u);
  std::set<std::string_view> listed;
  for (const auto& [type, info] : engine_->infos()) {
    listed.insert(type);
    EXPECT_EQ(info.engine, "DNN_VM_GE_LOCAL") << type;
    EXPECT_EQ(info.opKernelLib, "DNN_VM_GE_LOCAL_OP_STORE") << type;
    EXPECT_EQ(info.computeCost, 0) << type;
    EXPECT_FALSE(info.flagPartial || info.flagAsync || info.isAtomic) << type;
  }
  EXPECT_EQ(listed, types);
  EXPECT_FALSE(engine_->has_kernels());
}

TEST_F(LocalEngineTest, SupportsByTypeAloneAndHasNoKernels) {
  const Node& open = Make("Reshape", {"f32[s0,3]"}, {}, {x_});
  EXPECT_TRUE(engine_->Supports(open).ok);
  EXPECT_FALSE(engine_->Load(open).ok());
  EXPECT_EQ(engine_->Supports(Make("Add", {"f32[2,3]"}, {}, {x_, x_})).reason, "Add is none of its operators");
}

TEST_F(LocalEngineTest, WhatCompilesToNothingNeedsNothing) {
  for (std::string_view type : kCompileToNothing) {
    if (type == "Data") continue;  // the graph's own
    FakeContext context;
    Node& node = type == "Const"  ? *graph_->CreateConst(Tensor::Ints(std::vector<int64_t>{1}))
                 : type == "NoOp" ? Make(type, {})
                                  : Make(type, {"f32[2,3]"}, {}, {x_});
    Status s = Generate(node, context);
    EXPECT_TRUE(s.ok()) << type << ": " << s.message();
    EXPECT_EQ(context.handed_on, "") << type;
    EXPECT_FALSE(node.attrs().Bool("_no_task", false)) << type;
    EXPECT_EQ(node.attrs().Bool("_depend_compute", false), type == "StackPop") << type;
  }
}

TEST_F(LocalEngineTest, OpenShapesAreLeftToTheRun) {
  FakeContext context;
  Node& node = Make("Reshape", {"f32[s0,3]"}, {}, {x_});
  ASSERT_TRUE(Generate(node, context).ok());
  EXPECT_TRUE(node.attrs().Bool("_no_task", false));
  Result<OpRunningParam> param = engine_->builder()->CalcOpRunningParam(*graph_, node);
  ASSERT_TRUE(param.ok()) << param.message();
  EXPECT_TRUE(param->skipped);
  EXPECT_TRUE(param->outputs.empty());
}

TEST_F(LocalEngineTest, RemovedOperatorsWhosePassIsOnFailTheCompile) {
  for (const auto& [type, pass] : kRemovedByPasses) {
    FakeContext context;
    context.state = kPassOn;
    Status s = Generate(Make(type, {"f32[2,3]"}, {}, {x_}), context);
    ASSERT_FALSE(s.ok()) << type;
    EXPECT_HAS(s.message(), std::string(type) + " 'n");
    EXPECT_HAS(s.message(), "(model.py:7) reached DNN_VM_GE_LOCAL");
    EXPECT_EQ(static_cast<int>(s.code()), static_cast<int>(pass == "none" ? Code::kUnimplemented : Code::kFailedPrecondition)) << type;
    if (pass == "none") {
      EXPECT_HAS(s.message(), "nothing on the host runs it: it");
    } else {
      EXPECT_EQ(context.asked, pass) << type;
      EXPECT_HAS(s.message(), "pass '" + std::string(pass) + "' removes it, which is on (ge.oo.level = O3) but left it without a reason");
      EXPECT_HAS(s.message(), "ge.disableOptimizations = '" + std::string(pass) + "'");
    }
    EXPECT_EQ(context.handed_on, "") << type;
  }
}

TEST_F(LocalEngineTest, RemovedOperatorsWhosePassIsOffGoToOtherEngines) {
  for (const auto& [type, pass] : kRemovedByPasses) {
    FakeContext context;
    context.state = kPassOff;
    Status s = Generate(Make(type, {"f32[2,3]"}, {}, {x_}), context);
    EXPECT_EQ(s.ok(), pass != "none") << type;
    const std::string why = "pass '" + std::string(pass) + "' removes it, which is off (ge.disableOptimizations names it)";
    EXPECT_EQ(context.handed_on, pass == "none" ? "" : why) << type;
  }
}

TEST_F(LocalEngineTest, StrictModeFailsInBothCases) {
  for (const PassState& state : {kPassOn, kPassOff})
    for (const auto& [type, pass] : kRemovedByPasses) {
      FakeContext context;
      context.state = state;
      context.strict = true;
      Status s = Generate(Make(type, {"f32[2,3]"}, {}, {x_}), context);
      ASSERT_FALSE(s.ok()) << type;
      EXPECT_EQ(context.handed_on, "") << type;
      if (!state.on && pass != "none") {
        EXPECT_HAS(s.message(), "ge.local.strict = true makes this an error");
      }
    }
}

TEST_F(LocalEngineTest, APassThatSaysWhyIsNoFault) {
  FakeContext context;
  context.state = kPassOn;
  context.state.reason = "it is marked ge.keep";
  ASSERT_TRUE(Generate(Make("Identity", {"f32[2,3]"}, {}, {x_}), context).ok());
  EXPECT_HAS(context.handed_on, "which is on (ge.oo.level = O3) and left it: it is marked ge.keep");
  context = {};  // the program has no such pass
  ASSERT_TRUE(Generate(Make("Identity", {"f32[2,3]"}, {}, {x_}), context).ok());
  EXPECT_HAS(context.handed_on, "not part of this program");
}

TEST_F(LocalEngineTest, OperatorsOfOpenShapesRunOnTheHost) {
  Value* open = graph_->AddInput(*ParseType("f32[s0,3]"))->output();
  for (const auto& [type, pass] : kRemovedByPasses) {
    if (pass != "dimension-compute") continue;
    for (const bool strict : {false, true}) {
      FakeContext context;
      context.state = kPassOn;
      context.strict = strict;
      Node& node = Make(type, {"i64[2]"}, {}, {open});
      ASSERT_TRUE(Generate(node, context).ok()) << type;
      EXPECT_HAS(context.handed_on, "a shape is open") << type;
    }
  }
}

TEST_F(LocalEngineTest, SizesOfResults) {
  EXPECT_EQ(Bytes(*x_->producer()), 32);                                  // 24 bytes of Data, rounded up
  EXPECT_EQ(Bytes(Make("RefData", {"f32[8]"})), 32);                      // a multiple stays
  EXPECT_EQ(Bytes(Make("PhonyConcat", {"f32[9]"}, {}, {x_})), 64);        // 36
  EXPECT_EQ(Bytes(Make("PartitionedCall", {"i8[1]"}, {}, {x_})), 32);
  EXPECT_EQ(Bytes(Make("PhonySplit", {"f32[3]"}, {}, {x_})), 12);         // all others: dense
  EXPECT_EQ(Bytes(Make("Reshape", {"f32[6]"}, {}, {x_})), 24);
  EXPECT_EQ(Bytes(Make("Reshape", {"f32[0,5]"}, {}, {x_})), 0);
  EXPECT_EQ(Bytes(Make("RefData", {"f32[0]"})), 0);
  EXPECT_EQ(Bytes(Make("If", {"opaque"}, {}, {x_})), -1);
  EXPECT_EQ(Bytes(Make("FileConstant", {"f32[6]"}, {{"length", 100}})), 100);
  EXPECT_EQ(Bytes(Make("Constant", {"opaque"}, {{"value", "hello"}})), 16 + 5 + 1);
  EXPECT_EQ(Bytes(Make("Constant", {"opaque"}, {{"value", Attr::List{"a", ""}}})), (16 + 1 + 1) + (16 + 0 + 1));
  const auto refused = [&](const Node& node) {
    Result<OpRunningParam> param = engine_->builder()->CalcOpRunningParam(*graph_, node);
    return param.ok() ? "(taken)" : param.message();
  };
  EXPECT_HAS(refused(Make("FileConstant", {"f32[6]"})), "attribute 'length' must hold the bytes to read from the file, found none");
  EXPECT_HAS(refused(Make("FileConstant", {"f32[6]"}, {{"length", -1}})), "found -1");
  // The verifier lets no such type pass; a builder may still be asked before it has looked.
  const int64_t most = std::numeric_limits<int64_t>::max();
  Node& padded = Make("RefData", {"i8[1]"});
  graph_->SetType(padded.output(), ValueType::Tensor(DType::kI8, {Dim(most)}));
  EXPECT_HAS(refused(padded), "does not fit 64 bits");
  Node& product = Make("Variable", {"f32[1,1]"});
  graph_->SetType(product.output(), ValueType::Tensor(DType::kF32, {Dim(most / 2), Dim(2)}));
  EXPECT_HAS(refused(product), "does not fit 64 bits");
}

TEST_F(LocalEngineTest, ExactlyTheViewsReuseInput0) {
  for (std::string_view type : kCompileToNothing) {
    if (type == "Data" || type == "Const" || type == "NoOp" || type == "FileConstant") continue;
    Result<OpRunningParam> param = engine_->builder()->CalcOpRunningParam(*graph_, Make(type, {"f32[6]"}, {}, {x_}));
    ASSERT_TRUE(param.ok()) << param.message();
    const bool reuses = std::ranges::find(kReuseInput0, type) != std::end(kReuseInput0);
    EXPECT_EQ(param->outputs.at(0).reuse_input, reuses ? 0 : -1) << type;
  }
  Result<OpRunningParam> param = engine_->builder()->CalcOpRunningParam(*graph_, Make("Squeeze", {"f32[6]"}));
  ASSERT_FALSE(param.ok());
  EXPECT_HAS(param.message(), "has no input whose memory its result could reuse");
}

TEST_F(LocalEngineTest, TheOptimizerMarksVirtualConcatenationsOnce) {
  Node &concat = Make("PhonyConcat", {"f32[4,3]"}, {}, {x_, x_}), &split = Make("PhonySplit", {"f32[1,3]", "f32[1,3]"}, {}, {x_});
  GraphOptimizer& optimizer = *loader_.plugins()[0]->optimizers.at(0);
  EXPECT_EQ(optimizer.engine(), "DNN_VM_GE_LOCAL");
  Result<bool> changed = optimizer.OptimizeOriginalGraphJudgeInsert(*graph_);
  ASSERT_TRUE(changed.ok() && *changed);
  for (const Node* n : {&concat, &split}) {
    EXPECT_TRUE(n->attrs().Bool("_no_task", false));
    EXPECT_TRUE(n->attrs().Bool("_output_reuse_input", false));
    EXPECT_EQ(n->attrs().Int("_reuse_input_on_dim_index", -1), 0);
    EXPECT_EQ(n->attrs().Bool("_no_padding_continuous_input", false), n == &concat);
    EXPECT_EQ(n->attrs().Bool("_no_padding_continuous_output", false), n == &split);
  }
  changed = optimizer.OptimizeOriginalGraphJudgeInsert(*graph_);
  EXPECT_TRUE(changed.ok() && !*changed);
}

}  // namespace
}  // namespace ge
