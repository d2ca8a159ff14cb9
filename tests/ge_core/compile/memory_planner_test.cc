#include "ge_core/compile/memory_planner.h"

#include <gtest/gtest.h>

#include <random>

#include "ge_core/compile/plan_verifier.h"

namespace ge {
namespace {

std::vector<BufferRequest> RandomRequests(std::mt19937& rng, int count, int tasks) {
  auto uniform = [&](int lo, int hi) { return std::uniform_int_distribution<int>(lo, hi)(rng); };
  std::vector<BufferRequest> out;
  for (int i = 0; i < count; ++i) {
    BufferRequest r;
    r.bytes = uniform(0, 9) == 0 ? 0 : uniform(1, 5000);
    r.first = uniform(0, tasks - 1);
    r.last = std::min(tasks - 1, r.first + uniform(0, 8));
    r.alignment = 1 << uniform(0, 7);
    out.push_back(r);
  }
  return out;
}

// The obvious O(N^2) check, a second opinion on the verifier.
bool Sound(std::span<const BufferRequest> r, const MemoryPlan& p) {
  for (size_t i = 0; i < r.size(); ++i) {
    if (p.offsets[i] < 0 || p.offsets[i] % r[i].alignment || p.offsets[i] + r[i].bytes > p.total) return false;
    for (size_t j = 0; j < i; ++j) {
      const bool time = r[i].first <= r[j].last && r[j].first <= r[i].last;
      const bool space = p.offsets[i] < p.offsets[j] + r[j].bytes && p.offsets[j] < p.offsets[i] + r[i].bytes;
      if (time && space && r[i].bytes && r[j].bytes) return false;
    }
  }
  return true;
}

TEST(MemoryPlanner, RandomRequestsAreSoundAndNearTheBound) {
  std::mt19937 rng(1);
  for (int round = 0; round < 300; ++round) {
    const auto requests = RandomRequests(rng, 1 + round % 120, 1 + round % 40);
    auto plan = PlanMemory(requests);
    ASSERT_TRUE(plan.ok()) << plan.message();
    ASSERT_TRUE(Sound(requests, *plan)) << "round " << round;
    Status verified = VerifyMemoryPlan(requests, *plan);
    ASSERT_TRUE(verified.ok()) << verified.message();
    ASSERT_GE(plan->total, ArenaLowerBound(requests));
  }
}

TEST(MemoryPlanner, VerifierAgreesWithTheObviousCheckOnMutatedPlans) {
  std::mt19937 rng(2);
  int caught = 0;
  for (int round = 0; round < 2000; ++round) {
    const auto requests = RandomRequests(rng, 12, 12);
    auto plan = PlanMemory(requests);
    ASSERT_TRUE(plan.ok());
    const size_t victim = rng() % requests.size();
    switch (rng() % 4) {
      case 0: plan->offsets[victim] += requests[victim].alignment; break;
      case 1: plan->offsets[victim] -= 64; break;
      case 2: plan->offsets[victim] = plan->offsets[rng() % requests.size()]; break;
      default: plan->total -= 1; break;
    }
    const bool sound = Sound(requests, *plan);
    Status verified = VerifyMemoryPlan(requests, *plan);
    ASSERT_EQ(sound, verified.ok()) << verified.message();
    caught += !sound;
  }
  EXPECT_GT(caught, 500);  // the mutations do break plans
}

TEST(MemoryPlanner, ChainOfEqualBuffersNeedsTwo) {
  std::vector<BufferRequest> requests;
  for (int i = 0; i < 50; ++i) requests.push_back({1024, i, i + 1});
  auto plan = PlanMemory(requests);
  ASSERT_TRUE(plan.ok());
  EXPECT_EQ(plan->total, 2048);
  EXPECT_EQ(ArenaLowerBound(requests), 2048);
}

TEST(MemoryPlanner, EmptyAndZeroSizedRequests) {
  auto none = PlanMemory({});
  ASSERT_TRUE(none.ok());
  EXPECT_EQ(none->total, 0);
  std::vector<BufferRequest> zero = {{0, 0, 5}, {0, 2, 3}};
  auto plan = PlanMemory(zero);
  ASSERT_TRUE(plan.ok());
  EXPECT_EQ(plan->total, 0);
  EXPECT_TRUE(VerifyMemoryPlan(zero, *plan).ok());
}

TEST(MemoryPlanner, ManyBuffersArePlannedQuickly) {
  std::mt19937 rng(3);
  const auto requests = RandomRequests(rng, 50000, 20000);
  auto plan = PlanMemory(requests);
  ASSERT_TRUE(plan.ok());
  Status verified = VerifyMemoryPlan(requests, *plan);
  EXPECT_TRUE(verified.ok()) << verified.message();
}

TEST(MemoryPlanner, MalformedRequestsAreRefused) {
  EXPECT_EQ(PlanMemory(std::vector<BufferRequest>{{-1, 0, 0}}).code(), Code::kInvalidArgument);
  EXPECT_EQ(PlanMemory(std::vector<BufferRequest>{{1, 3, 2}}).code(), Code::kInvalidArgument);
  EXPECT_EQ(PlanMemory(std::vector<BufferRequest>{{1, 0, 0, 48}}).code(), Code::kInvalidArgument);
  EXPECT_EQ(PlanMemory(std::vector<BufferRequest>{{INT64_MAX, 0, 0}, {8, 0, 0}}).code(), Code::kInvalidArgument);
}

TEST(PlanVerifier, NamesBothBuffers) {
  std::vector<BufferRequest> requests = {{128, 0, 3}, {64, 2, 4}};
  Status s = VerifyMemoryPlan(requests, {{0, 64}, 128});
  ASSERT_FALSE(s.ok());
  EXPECT_NE(s.message().find("buffer 1 (tasks 2..4, bytes [64, 128)) overlaps buffer 0 (tasks 0..3, bytes [0, 128))"), std::string::npos)
      << s.message();
}

}  // namespace
}  // namespace ge
