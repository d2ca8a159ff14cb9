#include "npu_runtime/sim_memory.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ge {
namespace {

struct SimMemoryTest : testing::Test {
  void SetUp() override {
    Result<std::unique_ptr<SimMemory>> m = SimMemory::Make(false);
    ASSERT_TRUE(m.ok()) << m.message();
    memory = *std::move(m);
  }
  std::byte* Get(int64_t bytes) { return static_cast<std::byte*>(*memory->Allocate(bytes)); }
  // The next check reports one violation with this text, the one after it none.
  void ExpectFound(const std::string& text) {
    Status s = memory->Check();
    ASSERT_FALSE(s.ok());
    EXPECT_NE(s.message().find(text), std::string::npos) << s.message();
    EXPECT_TRUE(memory->Check().ok());
  }
  std::unique_ptr<SimMemory> memory;
};

TEST_F(SimMemoryTest, MemoryIsAlignedPoisonedAndKnown) {
  std::byte* p = Get(100);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(p) % 64, 0u);
  EXPECT_TRUE(std::isnan(*reinterpret_cast<float*>(p)));
  EXPECT_TRUE(memory->Owns(p, 100));
  EXPECT_TRUE(memory->Owns(p + 99, 1));
  EXPECT_FALSE(memory->Owns(p, 101));
  EXPECT_FALSE(memory->Owns(p - 1, 1));
  int host = 0;
  EXPECT_FALSE(memory->Owns(&host, 1));
  EXPECT_FALSE(memory->Contains(&host));
  EXPECT_EQ(memory->live_bytes(), 100);
  memory->Free(p);
  EXPECT_FALSE(memory->Owns(p, 1));
  EXPECT_TRUE(memory->Contains(p));
  EXPECT_EQ(memory->live_allocations(), 0);
  EXPECT_TRUE(memory->Check().ok());
}

TEST_F(SimMemoryTest, WritesBesideAnAllocationAreFound) {
  std::byte* p = Get(100);
  p[100] = std::byte{1};
  ExpectFound("at offset 100 of the allocation of 100 bytes");
  p[-3] = std::byte{1};
  ExpectFound("at offset -3 of the allocation");
  p[101] = std::byte{1};
  memory->Free(p);
  ExpectFound("found when it was freed");
}

TEST_F(SimMemoryTest, UseAfterFreeReadsPoisonAndWritesAreFound) {
  auto* p = reinterpret_cast<float*>(Get(64));
  *p = 1;
  memory->Free(p);
  EXPECT_TRUE(std::isnan(*p));
  *p = 2;
  ExpectFound("write to freed memory");
}

TEST_F(SimMemoryTest, QuarantineEndsAndMemoryIsUsedAgain) {
  std::byte* first = Get(1 << 20);
  memory->Free(first);
  EXPECT_NE(Get(1 << 20), first);
  bool again = false;
  for (int i = 0; i < 100 && !again; ++i) {
    std::byte* p = Get(1 << 20);
    again = p == first;
    memory->Free(p);
  }
  EXPECT_TRUE(again);
  EXPECT_TRUE(memory->Check().ok());
  EXPECT_LE(memory->quarantined_bytes(), 64 << 20);
}

TEST_F(SimMemoryTest, BadFreesAreFound) {
  std::byte* p = Get(8);
  memory->Free(p);
  memory->Free(p);
  ExpectFound("freed twice");
  int host = 0;
  memory->Free(&host);
  ExpectFound("not the device's");
}

TEST_F(SimMemoryTest, AbsurdSizesAreErrors) {
  EXPECT_EQ(*memory->Allocate(0), nullptr);
  EXPECT_FALSE(memory->Allocate(-1).ok());
  EXPECT_FALSE(memory->Allocate(int64_t{1} << 60).ok());
}

TEST(SimMemoryDeathTest, FreedMemoryCanBeMadeInaccessible) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_DEATH(
      {
        auto memory = *SimMemory::Make(true);
        auto* p = static_cast<volatile char*>(*memory->Allocate(64));
        memory->Free(const_cast<char*>(p));
        *p = 1;
      },
      "");
}

}  // namespace
}  // namespace ge
