#include "npu_runtime/sim_device.h"

#include <chrono>
#include <cstring>
#include <thread>

#include "ge_core/base/str.h"

namespace ge {

Result<std::unique_ptr<SimDevice>> SimDevice::Make(SimOptions options) {
  if (options.num_streams < 1) return InvalidArgument(StrCat("sim: ", options.num_streams, " streams; at least 1 is needed"));
  std::unique_ptr<SimDevice> d(new SimDevice());
  d->options_ = options;
  GE_ASSIGN_OR_RETURN(d->memory_, SimMemory::Make(options.protect_freed));
  for (int i = 0; i < options.num_streams; ++i) d->streams_.push_back(std::make_unique<ThreadStream>());
  return d;
}
SimDevice::~SimDevice() { streams_.clear(); }  // before the memory that their work uses

Result<void*> SimDevice::Allocate(int64_t bytes) {
  {
    std::lock_guard lock(mutex_);
    if (bytes > 0 && allocations_++ == faults_.fail_allocation)
      return FailedPrecondition(
          StrCat("out of memory: ", bytes, " bytes on sim (injected fault: allocation ", faults_.fail_allocation, ")"));
  }
  return memory_->Allocate(bytes);
}
void SimDevice::Free(void* memory) { memory_->Free(memory); }

Status SimDevice::Copy(Direction direction, void* to, const void* from, int64_t bytes) {
  if (bytes == 0) return {};
  const bool to_device = direction != Direction::kDeviceToHost, from_device = direction != Direction::kHostToDevice;
  const auto refuse = [&](const char* does, bool device) {
    return Internal(StrCat("sim: a copy of ", bytes, " bytes ", does,
                           device ? " outside the device's allocations" : " device memory as if it were the host's"));
  };
  if (to_device ? !memory_->Owns(to, bytes) : memory_->Contains(to)) return refuse("writes", to_device);
  if (from_device ? !memory_->Owns(from, bytes) : memory_->Contains(from)) return refuse("reads", from_device);
  std::memmove(to, from, static_cast<size_t>(bytes));
  return {};
}

Status SimDevice::BeforeTask(int stream) {
  std::unique_lock lock(mutex_);
  const SimFaults faults = faults_;
  const int64_t number = tasks_++;
  lock.unlock();
  if (stream == faults.delay_stream) std::this_thread::sleep_for(std::chrono::microseconds(faults.delay_microseconds));
  if (number == faults.fail_task) return Internal(StrCat("kernel failure (injected fault: task ", number, ")"));
  return {};
}
Status SimDevice::AfterTask() { return memory_->Check(); }

void SimDevice::SetFaults(SimFaults faults) {
  std::lock_guard lock(mutex_);
  faults_ = faults;
  allocations_ = tasks_ = 0;
}

}  // namespace ge
