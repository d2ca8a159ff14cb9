#pragma once
// SimDevice: a simulated accelerator for tests. Memory of its own that is poisoned, fenced and kept in quarantine after
// Free; asynchronous streams on threads; faults on request. docs/sim_device.md.
#include <atomic>
#include <vector>

#include "npu_runtime/sim_memory.h"

namespace ge {

// What goes wrong on purpose. Counted from SetFaults on; -1: never.
struct SimFaults {
  int64_t fail_allocation = -1;  // the n-th allocation fails
  int64_t fail_task = -1;        // the n-th task fails, instead of running
  int delay_stream = -1;         // every task of this stream starts late, by
  int delay_microseconds = 0;
};

struct SimOptions {
  int num_streams = 4;
  bool check_arena = true;     // serialises the tasks of a run, in whatever order the streams give
  bool protect_freed = false;  // touching freed memory raises SIGSEGV at once, instead of an error at the next check
};

class GE_API SimDevice final : public Device {
 public:
  static Result<std::unique_ptr<SimDevice>> Make(SimOptions options = {});
  ~SimDevice() override;

  std::string_view name() const override { return "sim"; }
  bool host_addressable() const override { return false; }
  Result<void*> Allocate(int64_t bytes) override;
  void Free(void* memory) override;
  // The device side must lie in one live allocation, the host side outside the device.
  Status Copy(Direction direction, void* to, const void* from, int64_t bytes) override;
  int num_streams() const override { return options_.num_streams; }
  Stream& stream(int i) override { return *streams_[static_cast<size_t>(i)]; }
  Status BeforeTask(int stream) override;
  Status AfterTask() override;  // fences and quarantine
  bool checks_arena() const override { return options_.check_arena; }
  bool Owns(const void* memory, int64_t bytes) const override { return memory_->Owns(memory, bytes); }

  void SetFaults(SimFaults faults);
  const SimMemory& memory() const { return *memory_; }

 private:
  SimDevice() = default;
  SimOptions options_;
  std::unique_ptr<SimMemory> memory_;
  std::vector<std::unique_ptr<Stream>> streams_;
  std::mutex mutex_;  // of the faults
  SimFaults faults_;
  int64_t allocations_ = 0, tasks_ = 0;
};

}  // namespace ge
