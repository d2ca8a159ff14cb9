#include "npu_runtime/stream_schedule.h"

#include <gtest/gtest.h>

#include "ge_core/compile/compile.h"
#include "ge_core/ir/text.h"
#include "host_kernels/ops.h"
#include "npu_runtime/host_kernel_engine.h"

namespace ge {
namespace {

struct StreamScheduleTest : testing::Test {
  const GraphPlan& Plan(std::string_view text) {
    Result<std::unique_ptr<Module>> module = ParseModule(text, HostOps());
    EXPECT_TRUE(module.ok()) << module.message();
    Result<CompiledModel> compiled = Compile(*std::move(module), EngineList{&kernels});
    EXPECT_TRUE(compiled.ok()) << compiled.message();
    model = *std::move(compiled);
    return model.entry();
  }
  HostKernelEngine kernels{HostKernels()};
  CompiledModel model;
};

constexpr std::string_view kDiamond = R"(graph @g(%x: f32[64]) {
  %a = Neg(%x) : f32[64]
  %b = Abs(%a) : f32[64]
  %c = Exp(%a) : f32[64]
  %d = Add(%b, %c) : f32[64]
  return %d
})";

TEST_F(StreamScheduleTest, AChainStaysOnOneStream) {
  const GraphPlan& plan = Plan(R"(graph @g(%x: f32[4]) {
    %a = Neg(%x) : f32[4]
    %b = Abs(%a) : f32[4]
    %c = Neg(%b) : f32[4]
    return %c
  })");
  const StreamSchedule s = MakeStreamSchedule(plan, 4);
  EXPECT_EQ(s.num_streams, 1);
  EXPECT_EQ(s.stream, (std::vector<int>{0, 0, 0}));
  for (const std::vector<int>& w : s.waits) EXPECT_TRUE(w.empty());
}

TEST_F(StreamScheduleTest, BranchesGetStreamsAndJoinsGetEvents) {
  const GraphPlan& plan = Plan(kDiamond);
  const StreamSchedule s = MakeStreamSchedule(plan, 4);
  EXPECT_EQ(s.num_streams, 2);
  EXPECT_EQ(s.stream[0], s.stream[1]);
  EXPECT_NE(s.stream[1], s.stream[2]);
  EXPECT_EQ(s.waits[2], (std::vector<int>{0}));
  EXPECT_EQ(s.waits[3].size(), 1u);
  EXPECT_TRUE(VerifyStreamSchedule(plan, s).ok());
  EXPECT_EQ(MakeStreamSchedule(plan, 1).num_streams, 1);
  EXPECT_TRUE(VerifyStreamSchedule(plan, MakeStreamSchedule(plan, 1)).ok());
}

TEST_F(StreamScheduleTest, EveryEventIsNeeded) {
  const GraphPlan& plan = Plan(kDiamond);
  const StreamSchedule good = MakeStreamSchedule(plan, 4);
  int removed = 0;
  for (size_t t = 0; t < good.waits.size(); ++t)
    for (size_t i = 0; i < good.waits[t].size(); ++i) {
      StreamSchedule bad = good;
      bad.waits[t].erase(bad.waits[t].begin() + static_cast<std::ptrdiff_t>(i));
      Status s = VerifyStreamSchedule(plan, bad);
      ASSERT_FALSE(s.ok());
      EXPECT_NE(s.message().find("neither a stream nor an event orders them"), std::string::npos) << s.message();
      ++removed;
    }
  EXPECT_EQ(removed, 2);
}

TEST_F(StreamScheduleTest, MemoryThatIsUsedAgainOrdersTasks) {
  // Two independent chains: without the arena they would need no order at all.
  const GraphPlan& plan = Plan(R"(graph @g(%x: f32[64], %y: f32[64]) {
    %a = Neg(%x) : f32[64]
    %b = Abs(%a) : f32[64]
    %c = Neg(%b) : f32[64]
    %d = Neg(%y) : f32[64]
    %e = Abs(%d) : f32[64]
    %f = Neg(%e) : f32[64]
    return %c, %f
  })");
  const StreamSchedule s = MakeStreamSchedule(plan, 4);
  EXPECT_TRUE(VerifyStreamSchedule(plan, s).ok());
  StreamSchedule bad = s;
  bad.num_streams = 2;
  bad.stream = {0, 0, 0, 1, 1, 1};
  for (std::vector<int>& w : bad.waits) w.clear();
  Status status = VerifyStreamSchedule(plan, bad);
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.message().find("share arena bytes"), std::string::npos) << status.message();
}

TEST_F(StreamScheduleTest, MalformedSchedulesAreRefused) {
  const GraphPlan& plan = Plan(kDiamond);
  const StreamSchedule good = MakeStreamSchedule(plan, 2);
  StreamSchedule bad = good;
  bad.stream.pop_back();
  EXPECT_FALSE(VerifyStreamSchedule(plan, bad).ok());
  bad = good;
  bad.stream[1] = 7;
  EXPECT_FALSE(VerifyStreamSchedule(plan, bad).ok());
  bad = good;
  bad.waits[0] = {3};
  EXPECT_NE(VerifyStreamSchedule(plan, bad).message().find("may wait for ever"), std::string::npos);
}

}  // namespace
}  // namespace ge
