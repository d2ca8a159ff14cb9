#include "npu_runtime/device.h"

#include <gtest/gtest.h>

namespace ge {
namespace {

TEST(HostDeviceTest, IsPlainMemoryWithOneStream) {
  HostDevice d;
  EXPECT_TRUE(d.host_addressable());
  EXPECT_EQ(d.num_streams(), 1);
  Result<Buffer> b = Buffer::Make(d, 100);
  ASSERT_TRUE(b.ok());
  EXPECT_EQ(reinterpret_cast<uintptr_t>(b->data()) % 64, 0u);
  const int from = 5;
  int to = 0;
  ASSERT_TRUE(d.Copy(Device::Direction::kHostToDevice, b->data(), &from, sizeof from).ok());
  ASSERT_TRUE(d.Copy(Device::Direction::kDeviceToHost, &to, b->data(), sizeof to).ok());
  EXPECT_EQ(to, 5);
  EXPECT_EQ(*d.Allocate(0), nullptr);
  EXPECT_EQ(d.Allocate(-1).status().code(), Code::kInvalidArgument);
}

}  // namespace
}  // namespace ge
