#include "npu_runtime/engine_library.h"

#include <gtest/gtest.h>

namespace ge {
namespace {

TEST(OpenEngine, AnAbsentLibraryIsAnErrorThatNamesThePlaces) {
  auto engine = OpenEngine("no_such_engine");
  ASSERT_FALSE(engine.ok());
  EXPECT_EQ(engine.code(), Code::kNotFound);
  EXPECT_NE(engine.message().find("libge_no_such_engine.so"), std::string::npos) << engine.message();
  EXPECT_FALSE(OpenEngine("/no/such/path.so").ok());
  EXPECT_FALSE(OpenEngine("").ok());
}

TEST(OpenEngine, ALibraryThatIsNoEngineIsRefused) {
  auto engine = OpenEngine("/lib/x86_64-linux-gnu/libm.so.6");
  ASSERT_FALSE(engine.ok());
  EXPECT_NE(engine.message().find("ge_engine_create"), std::string::npos) << engine.message();
}

TEST(OpenEngine, TheSameNameGivesTheSameEngine) {
  for (const char* name : {"onednn", "jit"}) {
    auto first = OpenEngine(name);
    if (!first.ok()) {
      std::printf("engine %s is absent: %s\n", name, first.message().c_str());
      continue;
    }
    auto second = OpenEngine(name);
    ASSERT_TRUE(second.ok());
    EXPECT_EQ(*first, *second);
    EXPECT_EQ((*first)->name(), name);
  }
}

}  // namespace
}  // namespace ge
