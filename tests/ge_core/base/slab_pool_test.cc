#include "ge_core/base/slab_pool.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <set>

namespace ge {
namespace {

TEST(SlabPool, ObjectsAreApartAndAligned) {
  constexpr size_t kSize = 100, kCount = 50000;  // beyond the slabs that are huge pages
  SlabPool pool(kSize);
  std::vector<unsigned char*> cells;
  for (size_t i = 0; i < kCount; ++i) {
    cells.push_back(static_cast<unsigned char*>(pool.Allocate()));
    ASSERT_EQ(reinterpret_cast<uintptr_t>(cells.back()) % 64, 0u);
    std::memset(cells.back(), static_cast<int>(i % 251), kSize);
  }
  for (size_t i = 0; i < kCount; ++i) {
    ASSERT_EQ(cells[i][0], i % 251);
    ASSERT_EQ(cells[i][kSize - 1], i % 251);
  }
}

TEST(SlabPool, NeighboursInTimeAreNeighboursInMemory) {
  SlabPool pool(64);
  auto* first = static_cast<std::byte*>(pool.Allocate());
  EXPECT_EQ(static_cast<std::byte*>(pool.Allocate()), first + 64);
}

#ifndef __SANITIZE_ADDRESS__  // under which nothing is given out twice
TEST(SlabPool, FreedMemoryIsGivenOutAgain) {
  SlabPool pool(64);
  std::set<void*> cells;
  for (int i = 0; i < 1000; ++i) cells.insert(pool.Allocate());
  for (void* cell : cells) pool.Free(cell);
  for (int i = 0; i < 1000; ++i) EXPECT_TRUE(cells.contains(pool.Allocate()));
}
#endif

}  // namespace
}  // namespace ge
