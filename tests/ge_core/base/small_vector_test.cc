#include "ge_core/base/small_vector.h"

#include <gtest/gtest.h>

#include <random>

namespace ge {
namespace {

using Small = SmallVector<int, 2>;

TEST(SmallVector, LeavesTheObjectWhenItOutgrowsIt) {
  Small v = {1, 2};
  EXPECT_FALSE(v.spilled());
  v.push_back(v[0]);
  EXPECT_TRUE(v.spilled());
  EXPECT_EQ(v, (std::vector<int>{1, 2, 1}));
}

TEST(SmallVector, CopiesAreIndependent) {
  for (const std::vector<int>& elements : {std::vector<int>{}, std::vector<int>{1, 2}, std::vector<int>{1, 2, 3, 4, 5}}) {
    const Small v(elements);
    Small copy = v, assigned = {7, 8, 9};
    assigned = v;
    EXPECT_EQ(copy, v);
    EXPECT_EQ(assigned, v);
    copy.push_back(6);
    EXPECT_EQ(v, elements);
    const std::vector<int> out = v;
    EXPECT_EQ(out, elements);
  }
}

// Random operations against std::vector.
TEST(SmallVector, BehavesAsAVector) {
  std::mt19937 random(7);
  Small v;
  std::vector<int> expected;
  for (int step = 0; step < 20000; ++step) {
    switch (random() % 16) {
      case 0:
        v.clear();
        expected.clear();
        break;
      case 1: {
        const size_t size = random() % 6;
        v.resize(size);
        expected.resize(size);
        break;
      }
      case 2:
      case 3:
      case 4:
        if (expected.empty()) break;
        v.pop_back();
        expected.pop_back();
        break;
      case 5:
      case 6:
        if (!expected.empty()) {
          const auto at = static_cast<std::ptrdiff_t>(random() % expected.size());
          EXPECT_EQ(v.erase(v.begin() + at) - v.begin(), at);
          expected.erase(expected.begin() + at);
        }
        break;
      default: v.push_back(step); expected.push_back(step);
    }
    ASSERT_EQ(v, expected);
    ASSERT_EQ(v.size(), expected.size());
    if (!expected.empty()) { ASSERT_EQ(v.back(), expected.back()); }
  }
}

}  // namespace
}  // namespace ge
