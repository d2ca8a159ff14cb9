#include "npu_runtime/stream.h"

#include <deque>
#include <thread>

namespace ge {

void Event::Set() {
  std::lock_guard lock(mutex_);
  set_ = true;
  happened_.notify_all();  // under the lock: a waiter may destroy the event as soon as it sees it
}
void Event::Wait() const {
  std::unique_lock lock(mutex_);
  happened_.wait(lock, [this] { return set_; });
}
bool Event::Query() const {
  std::lock_guard lock(mutex_);
  return set_;
}

Stream::~Stream() = default;
void Stream::Record(std::shared_ptr<Event> event) {
  Enqueue([event = std::move(event)] { event->Set(); });
}
void Stream::Wait(std::shared_ptr<const Event> event) {
  Enqueue([event = std::move(event)] { event->Wait(); });
}
void Stream::Synchronize() {
  auto done = std::make_shared<Event>();
  Record(done);
  done->Wait();
}

struct ThreadStream::Queue {
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::function<void()>> work;
  bool closing = false;
  std::thread thread;

  void Serve() {
    for (;;) {
      std::function<void()> next;
      {
        std::unique_lock lock(mutex);
        changed.wait(lock, [this] { return closing || !work.empty(); });
        if (work.empty()) return;
        next = std::move(work.front());
        work.pop_front();
      }
      next();
    }
  }
};

ThreadStream::ThreadStream() : queue_(std::make_unique<Queue>()) {
  queue_->thread = std::thread([q = queue_.get()] { q->Serve(); });
}
ThreadStream::~ThreadStream() {
  {
    std::lock_guard lock(queue_->mutex);
    queue_->closing = true;
  }
  queue_->changed.notify_one();
  queue_->thread.join();
}
void ThreadStream::Enqueue(std::function<void()> work) {
  {
    std::lock_guard lock(queue_->mutex);
    queue_->work.push_back(std::move(work));
  }
  queue_->changed.notify_one();
}

}  // namespace ge
