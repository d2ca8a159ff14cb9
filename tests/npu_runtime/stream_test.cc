#include "npu_runtime/stream.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace ge {
namespace {

TEST(StreamTest, AStreamKeepsItsOrder) {
  ThreadStream s;
  std::vector<int> seen;
  for (int i = 0; i < 100; ++i) s.Enqueue([&seen, i] { seen.push_back(i); });
  s.Synchronize();
  ASSERT_EQ(seen.size(), 100u);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(seen[static_cast<size_t>(i)], i);
}

TEST(StreamTest, EventsOrderWorkOfTwoStreams) {
  ThreadStream a, b;
  auto gate = std::make_shared<Event>(), made = std::make_shared<Event>();
  int value = 0, read = -1;
  a.Wait(gate);  // holds `a` back, so that only the event can order the two
  a.Enqueue([&] { value = 7; });
  a.Record(made);
  b.Wait(made);
  b.Enqueue([&] { read = value; });
  EXPECT_FALSE(made->Query());
  gate->Set();
  b.Synchronize();
  EXPECT_TRUE(made->Query());
  EXPECT_EQ(read, 7);
}

TEST(StreamTest, AnImmediateStreamRunsInTheCallersThread) {
  ImmediateStream s;
  std::thread::id ran;
  s.Enqueue([&] { ran = std::this_thread::get_id(); });
  EXPECT_EQ(ran, std::this_thread::get_id());
  auto e = std::make_shared<Event>();
  s.Record(e);
  EXPECT_TRUE(e->Query());
  s.Synchronize();
}

TEST(StreamTest, TheDestructorFinishesTheWork) {
  int done = 0;
  {
    ThreadStream s;
    for (int i = 0; i < 10; ++i) s.Enqueue([&] { ++done; });
  }
  EXPECT_EQ(done, 10);
}

}  // namespace
}  // namespace ge
