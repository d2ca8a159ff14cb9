// Errors planted into real plans of the compiler: the plan verifier, the stream verifier or a run on SimDevice reports each.
// docs/sim_device.md lists them.
#include <gtest/gtest.h>

#include <algorithm>

#include "ge_core/compile/compile.h"
#include "ge_core/compile/graph_plan_verifier.h"
#include "ge_core/ir/text.h"
#include "host_kernels/ops.h"
#include "npu_runtime/arena_checker.h"
#include "npu_runtime/host_kernel_engine.h"
#include "npu_runtime/plain_host.h"
#include "npu_runtime/sim_device.h"
#include "npu_runtime/stream_schedule.h"
#include "tests/npu_runtime/writing_engine.h"

namespace ge {
namespace {

constexpr std::string_view kGraph = R"(graph @g(%x: f32[64], %s: f32[64]) {
  %k = Const [1, 2] : f32[2]
  %a = Abs(%x) : f32[64]
  %b = Exp(%a) : f32[64]
  %c = Square(%a) : f32[64]
  %d = Add(%b, %c) : f32[64]
  %o = Neg(%s) : f32[64]
  %w = Assign(%s, %d) after(%o) : f32[64]
  %p = Pack(%b, %d) : f32[2,64]
  %q, %r = Unpack(%p) : f32[64], f32[64]
  %e = Abs(%r) : f32[64]
  %f = Add(%q, %e) : f32[64]
  %y = Add(%f, %x) : f32[64]
  %z = Add(%o, %y) : f32[64]
  return %y, %z, %k
})";

// The compiler's plan of kGraph, to be changed.
struct Subject {
  Subject() {
    Result<std::unique_ptr<Module>> module = ParseModule(kGraph, HostOps());
    GE_CHECK(module.ok(), module.message().c_str());
    Result<CompiledModel> compiled = Compile(*std::move(module), EngineList{&writing, &kernels});
    GE_CHECK(compiled.ok(), compiled.message().c_str());
    model = std::make_shared<CompiledModel>(*std::move(compiled));
    plan = &model->plans.begin()->second;
  }
  ValuePlan& value(std::string_view name) { return plan->values[static_cast<size_t>(index(name))]; }
  int index(std::string_view name) const {  // the last result of this node
    for (size_t i = plan->values.size(); i-- > 0;)
      if (plan->values[i].value->producer()->name() == name) return static_cast<int>(i);
    GE_CHECK(false, "no such value");
  }
  size_t task(std::string_view name) const {
    for (size_t i = 0; i < plan->tasks.size(); ++i)
      if (plan->tasks[i].node->name() == name) return i;
    GE_CHECK(false, "no such task");
  }
  TaskPlan& at(std::string_view name) { return plan->tasks[task(name)]; }

  WritingEngine writing;
  HostKernelEngine kernels{HostKernels()};
  std::shared_ptr<CompiledModel> model;
  GraphPlan* plan = nullptr;
};

// Loads and runs it on SimDevice, unverified.
Status RunOnSim(const Subject& s) {
  GE_ASSIGN_OR_RETURN(std::unique_ptr<SimDevice> sim, SimDevice::Make());
  GE_ASSIGN_OR_RETURN(std::unique_ptr<LoadedModel> loaded, LoadedModel::Load(s.model, *sim));
  std::vector<float> data(64, 2.0f), state(64, 3.0f);
  const int64_t sizes[] = {64}, strides[] = {1};
  std::vector<Slot> in(2), out;
  for (size_t i = 0; i < 2; ++i) {
    in[i].kind = ValueType::Kind::kTensor;
    in[i].ndim = 1, in[i].sizes = sizes, in[i].strides = strides;
    in[i].data = i == 0 ? data.data() : state.data();
  }
  PlainHost host;
  std::exception_ptr exception;
  return loaded->Run(in, out, nullptr, host, 1, &exception);
}

// What the checker says to the tasks in the plan's order. The kernels do not run.
Status AskChecker(const Subject& s) {
  GE_ASSIGN_OR_RETURN(std::unique_ptr<SimDevice> sim, SimDevice::Make());
  GE_ASSIGN_OR_RETURN(Buffer arena, Buffer::Make(*sim, s.plan->arena_bytes));
  const std::vector<int> aliases = AliasClasses(*s.plan);
  ArenaChecker checker(*s.plan, aliases, *sim, arena.data());
  for (const TaskPlan& t : s.plan->tasks) {
    std::vector<Slot> in(t.inputs.size()), out(t.outputs.size());
    std::vector<Slot*> results;
    for (size_t i = 0; i < out.size(); ++i) {
      const ValuePlan& v = s.plan->values[static_cast<size_t>(t.outputs[i])];
      if (v.storage == Storage::kArena) out[i].planned = true, out[i].data = arena.data() + v.offset;
      results.push_back(&out[i]);
    }
    GE_RETURN_IF_ERROR(checker.BeforeTask(t, in, results));
    GE_RETURN_IF_ERROR(checker.AfterTask(t));
  }
  return {};
}

struct PlantedError {
  const char* name;
  std::function<void(Subject&)> plant;
  std::string_view verifier;  // part of what VerifyGraphPlan says
  std::string_view sim;       // part of what loading or running on SimDevice says; empty: it cannot see it, or must not be let run
};

const std::vector<PlantedError>& PlantedErrors() {
  static const std::vector<PlantedError> errors = {
      {"two live buffers at one offset", [](Subject& s) { s.value("c").offset = s.value("b").offset; }, "overlaps", "share arena bytes"},
      {"live buffers overlap in part",
       [](Subject& s) { s.plan->arena_bytes += 1024, s.value("c").offset = s.value("b").offset + 64; }, "overlaps", "share arena bytes"},
      {"memory used again before its last reader", [](Subject& s) { s.value("d").offset = s.value("b").offset; }, "overlaps",
       "share arena bytes"},
      {"a result over the task's own operand", [](Subject& s) { s.value("q").offset = s.value("p").offset; }, "overlaps",
       "share arena bytes"},
      {"two results of one task overlap",
       [](Subject& s) { s.plan->values[static_cast<size_t>(s.at("q").outputs[0])].offset = s.value("q").offset; },
       "overlaps", "share arena bytes"},
      {"a buffer beyond the arena's end", [](Subject& s) { s.value("p").offset = s.plan->arena_bytes; }, "outside the arena",
       "outside the device's memory"},
      {"a buffer that ends beyond the arena's end",
       [](Subject& s) { s.value("p").offset = s.plan->arena_bytes, s.plan->arena_bytes += 64; }, "outside the arena",
       "outside the device's memory"},
      {"a negative offset", [](Subject& s) { s.value("a").offset = -64; }, "outside the arena", "outside the device's memory"},
      {"an offset that is not aligned",
       [](Subject& s) { s.value("p").offset = s.plan->arena_bytes + 4, s.plan->arena_bytes += 1024; }, "not aligned",
       "not a multiple of 64"},
      {"an arena that is too small", [](Subject& s) { s.plan->arena_bytes -= 64; }, "outside the arena", "outside the device's memory"},
      {"no arena", [](Subject& s) { s.plan->arena_bytes = 0; }, "outside the arena", "outside the device's memory"},
      {"a buffer that is smaller than its value", [](Subject& s) { s.value("a").bytes = 128; }, "its type needs", "wrote outside its plan"},
      {"a task before the one that makes its operand", [](Subject& s) { std::swap(s.at("a"), s.at("b")); }, "which no earlier task makes",
       "must end before"},
      {"a missing task", [](Subject& s) { s.plan->tasks.erase(s.plan->tasks.begin() + static_cast<std::ptrdiff_t>(s.task("c"))); },
       "which no earlier task makes", "before that task has run"},
      {"a missing task with an effect",
       [](Subject& s) { s.plan->tasks.erase(s.plan->tasks.begin() + static_cast<std::ptrdiff_t>(s.task("w"))); },
       "which has effects", ""},
      {"a task that runs twice",
       [](Subject& s) {
         TaskPlan again = s.at("b");
         s.plan->tasks.insert(s.plan->tasks.begin() + static_cast<std::ptrdiff_t>(s.task("b")), again);
       },
       "two tasks run", "must end before"},
      {"a write before a reader of the old value",
       [](Subject& s) {
         const auto reader = s.plan->tasks.begin() + static_cast<std::ptrdiff_t>(s.task("o"));
         std::rotate(reader, reader + 1, s.plan->tasks.begin() + static_cast<std::ptrdiff_t>(s.task("w")) + 1);
       },
       "the other way round", "must end before"},
      {"a wrong operand", [](Subject& s) { s.at("d").inputs[1] = s.index("b"); }, "operand 1 is", ""},
      {"an operand that does not exist", [](Subject& s) { s.at("d").inputs[1] = 99; }, "operand 1 is value 99", ""},
      {"an operand that is absent", [](Subject& s) { s.at("d").inputs[1] = -1; }, "is absent", ""},
      {"too few operands", [](Subject& s) { s.at("d").inputs.pop_back(); }, "has 1 operands", ""},
      {"results of a task in the wrong order", [](Subject& s) { std::swap(s.at("q").outputs[0], s.at("q").outputs[1]); },
       "which is not the node's", ""},
      {"results of the graph in the wrong order", [](Subject& s) { std::swap(s.plan->outputs[0], s.plan->outputs[1]); },
       "result 0 is value", ""},
      {"inputs in the wrong order", [](Subject& s) { std::swap(s.plan->inputs[0], s.plan->inputs[1]); }, "input 0 is value", ""},
      {"a returned value in the arena",
       [](Subject& s) { s.value("z").storage = Storage::kArena, s.value("z").offset = s.plan->arena_bytes, s.plan->arena_bytes += 256; },
       "leaves the graph", "leaves the graph"},
      {"a returned constant that is not copied", [](Subject& s) { s.value("k").storage = Storage::kConst; }, "leaves the graph", ""},
      {"a constant that is stored as a result", [](Subject& s) { s.value("k").storage = Storage::kFresh; }, "stored as no constant", ""},
      {"planned memory for an engine that allocates", [](Subject& s) { s.value("w").storage = Storage::kFresh; },
       "does not fill", ""},
      {"no memory for an engine that needs it", [](Subject& s) { s.value("a").storage = Storage::kEngine; },
       "does not fill", ""},
      {"a view of what its node does not read",
       [](Subject& s) { s.value("c").alias_of = s.index("a"), s.value("c").offset = s.value("a").offset; }, "no view of", ""},
      {"a view of memory elsewhere", [](Subject& s) { s.value("c").alias_of = s.index("a"), s.value("c").offset = s.value("a").offset + 64; },
       "but lies at", ""},
      {"a view of no value", [](Subject& s) { s.value("c").alias_of = 99; }, "no other value", ""},
      {"a release before the last use", [](Subject& s) { s.at("a").release.push_back(s.index("x")); }, "still uses", ""},
      {"a release of a result", [](Subject& s) { s.plan->tasks.back().release.push_back(s.index("y")); }, "which is a result", ""},
      {"two releases",
       [](Subject& s) {
         auto& last = s.plan->tasks.back().release;
         std::erase(s.at("y").release, s.index("x"));
         last.push_back(s.index("x")), last.push_back(s.index("x"));
       },
       "which is released already", ""},
  };
  return errors;
}

TEST(PlantedErrorsTest, TheCompilersPlanIsSound) {
  Subject s;
  const Status verified = VerifyGraphPlan(*s.plan), ran = RunOnSim(s);
  EXPECT_TRUE(verified.ok()) << verified.message();
  EXPECT_TRUE(ran.ok()) << ran.message();
  EXPECT_TRUE(AskChecker(s).ok()) << AskChecker(s).message();
}

TEST(PlantedErrorsTest, EveryOneIsReported) {
  for (const PlantedError& e : PlantedErrors()) {
    SCOPED_TRACE(e.name);
    Subject s;
    e.plant(s);
    const Status verified = VerifyGraphPlan(*s.plan);
    ASSERT_FALSE(verified.ok());
    EXPECT_NE(verified.message().find(e.verifier), std::string::npos) << verified.message();
    if (e.sim.empty()) continue;
    const Status ran = RunOnSim(s);
    ASSERT_FALSE(ran.ok());
    EXPECT_NE(ran.message().find(e.sim), std::string::npos) << ran.message();
    if (e.verifier != "overlaps") continue;  // the stream verifier refuses these at load; the checker sees them too
    const Status checked = AskChecker(s);
    ASSERT_FALSE(checked.ok());
    EXPECT_NE(checked.message().find("which is still needed"), std::string::npos) << checked.message();
  }
}

TEST(PlantedErrorsTest, AndEveryOneOfAStreamSchedule) {
  Subject s;
  const StreamSchedule good = MakeStreamSchedule(*s.plan, 4);
  ASSERT_TRUE(VerifyStreamSchedule(*s.plan, good).ok());
  ASSERT_GE(good.num_streams, 2);
  const auto expect = [&](const char* name, const StreamSchedule& bad, std::string_view text) {
    SCOPED_TRACE(name);
    const Status status = VerifyStreamSchedule(*s.plan, bad);
    ASSERT_FALSE(status.ok());
    EXPECT_NE(status.message().find(text), std::string::npos) << status.message();
  };
  StreamSchedule bad = good;
  for (std::vector<int>& waits : bad.waits) waits.clear();
  expect("no events at all", bad, "neither a stream nor an event orders them");
  int missing = 0;
  for (size_t t = 0; t < good.waits.size(); ++t)
    for (size_t i = 0; i < good.waits[t].size(); ++i, ++missing) {
      bad = good;
      bad.waits[t].erase(bad.waits[t].begin() + static_cast<std::ptrdiff_t>(i));
      expect("a missing event", bad, "neither a stream nor an event orders them");
    }
  EXPECT_GE(missing, 2);
  bad = good;
  bad.waits[1].push_back(static_cast<int>(bad.waits.size()) - 1);
  expect("an event of a later task", bad, "may wait for ever");
  bad = good;
  bad.stream[2] = good.num_streams;
  expect("a stream that does not exist", bad, "but there are");
  bad = good;
  bad.num_streams += 1;
  bad.stream[s.task("d")] = good.num_streams;
  bad.waits[s.task("d")].clear();
  expect("a task on another stream", bad, "neither a stream nor an event orders them");
  bad = good;
  bad.stream.pop_back();
  expect("a task without a stream", bad, "tasks, the plan has");
}

}  // namespace
}  // namespace ge
