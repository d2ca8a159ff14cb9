#include "host_kernels/fused_attention/exp.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ge::attention {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

TEST(AttentionExp, WithinTwoUnitsOfTheLastPlace) {
  for (float x = -87.3F; x < 88.7F; x += 0.00137F) {
    const double want = std::exp(static_cast<double>(x));
    const float ulp = std::nextafter(static_cast<float>(want), kInfinity) - static_cast<float>(want);
    ASSERT_LE(std::abs(Exp(x) - want), 2.0 * ulp) << x;
  }
  EXPECT_EQ(Exp(0), 1.0F);
  EXPECT_EQ(Exp(-kInfinity), 0.0F);
  EXPECT_EQ(Exp(kInfinity), kInfinity);
  EXPECT_TRUE(std::isnan(Exp(std::numeric_limits<float>::quiet_NaN())));
}

}  // namespace
}  // namespace ge::attention
