// A few thousand random graphs of real operators; tests/fuzz/pass_fuzz.cc runs the same for as long as one likes.
#include <gtest/gtest.h>

#include "tests/fuzz/pass_check.h"

namespace ge {
namespace {

TEST(PassFuzz, ThePipelineKeepsEveryBit) {
  const PassRegistry registry = PassRegistry::WithBuiltins();
  const HostCpuEngine engine(&HostKernels());
  int executed = 0, changed = 0;
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    const fuzz::PassCheck check = fuzz::CheckPasses(seed, {}, registry, engine);
    ASSERT_EQ(check.failure, "");
    executed += check.executed, changed += check.changed;
  }
  EXPECT_GT(executed, 800);
  EXPECT_GT(changed, 700);
}

TEST(PassFuzz, EveryPassAloneKeepsEveryBit) {
  const PassRegistry registry = PassRegistry::WithBuiltins();
  const HostCpuEngine engine(&HostKernels());
  for (const std::string& pass : fuzz::ExactPasses(registry, engine))
    for (uint64_t seed = 0; seed < 60; ++seed) {
      const fuzz::PassCheck check = fuzz::CheckPasses(seed, {pass}, registry, engine);
      ASSERT_EQ(check.failure, "");
    }
}

}  // namespace
}  // namespace ge
