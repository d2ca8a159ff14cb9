#include "npu_runtime/sim_device.h"

#include <gtest/gtest.h>

#include <chrono>

namespace ge {
namespace {

struct SimDeviceTest : testing::Test {
  void SetUp() override {
    Result<std::unique_ptr<SimDevice>> d = SimDevice::Make();
    ASSERT_TRUE(d.ok()) << d.message();
    device = *std::move(d);
  }
  std::unique_ptr<SimDevice> device;
};
using Direction = Device::Direction;

TEST_F(SimDeviceTest, CopiesAreWorkOfAStream) {
  EXPECT_FALSE(device->host_addressable());
  Buffer a = *Buffer::Make(*device, 16), b = *Buffer::Make(*device, 16);
  int64_t from[2] = {3, 4}, to[2] = {};
  Status up, across, down;
  Stream& s = device->stream(1);
  s.Enqueue([&] { up = device->Copy(Direction::kHostToDevice, a.data(), from, 16); });
  s.Enqueue([&] { across = device->Copy(Direction::kDeviceToDevice, b.data(), a.data(), 16); });
  s.Enqueue([&] { down = device->Copy(Direction::kDeviceToHost, to, b.data(), 16); });
  s.Synchronize();
  EXPECT_TRUE(up.ok() && across.ok() && down.ok());
  EXPECT_EQ(to[1], 4);
}

TEST_F(SimDeviceTest, CopiesOfTheWrongKindAreRefused) {
  Buffer a = *Buffer::Make(*device, 16);
  int64_t host[4] = {};
  const auto wrong = [&](Direction d, void* to, const void* from, int64_t bytes) { EXPECT_FALSE(device->Copy(d, to, from, bytes).ok()); };
  wrong(Direction::kHostToDevice, a.data(), host, 17);
  wrong(Direction::kHostToDevice, host, a.data(), 16);
  wrong(Direction::kDeviceToHost, a.data(), a.data(), 16);
  wrong(Direction::kDeviceToDevice, a.data(), host, 16);
  wrong(Direction::kDeviceToHost, host, a.data() + 8, 16);
  EXPECT_TRUE(device->Copy(Direction::kHostToDevice, nullptr, nullptr, 0).ok());
}

TEST_F(SimDeviceTest, FaultsComeWhenTheyAreDue) {
  device->SetFaults({.fail_allocation = 1, .fail_task = 2});
  Result<void*> first = device->Allocate(8), second = device->Allocate(8), third = device->Allocate(8);
  EXPECT_TRUE(first.ok() && third.ok());
  ASSERT_FALSE(second.ok());
  EXPECT_NE(second.message().find("injected fault"), std::string::npos);
  EXPECT_TRUE(device->BeforeTask(0).ok());
  EXPECT_TRUE(device->BeforeTask(0).ok());
  EXPECT_FALSE(device->BeforeTask(0).ok());
  EXPECT_TRUE(device->BeforeTask(0).ok());
  device->SetFaults({.delay_stream = 1, .delay_microseconds = 20000});
  const auto start = std::chrono::steady_clock::now();
  EXPECT_TRUE(device->BeforeTask(0).ok());
  EXPECT_TRUE(device->BeforeTask(1).ok());
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(20));
  device->Free(*first);
  device->Free(*third);
}

TEST_F(SimDeviceTest, AfterATaskTheFencesAreChecked) {
  Buffer a = *Buffer::Make(*device, 16);
  EXPECT_TRUE(device->AfterTask().ok());
  a.data()[16] = std::byte{0};
  EXPECT_FALSE(device->AfterTask().ok());
}

TEST(SimDeviceOptionsTest, NeedAStream) { EXPECT_FALSE(SimDevice::Make({.num_streams = 0}).ok()); }

}  // namespace
}  // namespace ge
