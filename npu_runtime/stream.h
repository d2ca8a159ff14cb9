#pragma once
// Streams run work in the order in which it was enqueued; events order work of different streams.
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>

#include "ge_core/base/api.h"

namespace ge {

// Happens once. Work of one stream sets it (Stream::Record), other streams or the host wait for it.
class GE_API Event {
 public:
  void Set();
  void Wait() const;   // blocks the calling thread
  bool Query() const;  // whether it has happened
 private:
  mutable std::mutex mutex_;
  mutable std::condition_variable happened_;
  bool set_ = false;
};

// Entered by several threads at once.
class GE_API Stream {
 public:
  virtual ~Stream();
  virtual void Enqueue(std::function<void()> work) = 0;
  // Everything that was enqueued before the call has run.
  void Synchronize();
  // The event happens when all work enqueued so far has run.
  void Record(std::shared_ptr<Event> event);
  // Work enqueued from now on starts after the event. An event that nobody records blocks the stream for ever.
  void Wait(std::shared_ptr<const Event> event);
};

// Runs work in the calling thread, before Enqueue returns.
class GE_API ImmediateStream final : public Stream {
 public:
  void Enqueue(std::function<void()> work) override { work(); }
};

// Runs work on a thread of its own. The destructor finishes what was enqueued.
class GE_API ThreadStream final : public Stream {
 public:
  ThreadStream();
  ~ThreadStream() override;
  void Enqueue(std::function<void()> work) override;

 private:
  struct Queue;
  std::unique_ptr<Queue> queue_;
};

}  // namespace ge
