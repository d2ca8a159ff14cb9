#pragma once
// Device: memory, copies and streams. HostDevice is the embedded one: plain host memory, zero copy, work runs at once.
#include <cstddef>
#include <memory>
#include <string_view>

#include "ge_core/base/status.h"
#include "npu_runtime/stream.h"

namespace ge {

class GE_API Device {
 public:
  enum class Direction : uint8_t { kHostToDevice, kDeviceToHost, kDeviceToDevice };

  virtual ~Device();
  virtual std::string_view name() const = 0;
  // Whether callers may hand host addresses to tasks, and read device memory through its address. A run on such a device
  // copies nothing and is a plain loop in the calling thread; on others it goes through streams.
  virtual bool host_addressable() const = 0;
  // 64-byte aligned; null when `bytes` is 0. Fails instead of throwing when memory runs out.
  virtual Result<void*> Allocate(int64_t bytes) = 0;
  virtual void Free(void* memory) = 0;
  // Copies in the calling thread. Enqueue it to make it work of a stream.
  virtual Status Copy(Direction direction, void* to, const void* from, int64_t bytes) = 0;
  virtual int num_streams() const = 0;
  virtual Stream& stream(int i) = 0;

  // Called around every task of a run on streams. Before: an error stands for the task's (injected faults). After: what
  // the device found wrong with its memory.
  virtual Status BeforeTask(int stream);
  virtual Status AfterTask();
  // Whether runs check what every task does to the arena (arena_checker.h).
  virtual bool checks_arena() const { return false; }
  // Whether [memory, memory + bytes) lies in one live allocation. Only devices with memory of their own can tell.
  virtual bool Owns(const void* memory, int64_t bytes) const;
};

class GE_API HostDevice final : public Device {
 public:
  std::string_view name() const override { return "host"; }
  bool host_addressable() const override { return true; }
  Result<void*> Allocate(int64_t bytes) override;
  void Free(void* memory) override;
  Status Copy(Direction direction, void* to, const void* from, int64_t bytes) override;
  int num_streams() const override { return 1; }
  Stream& stream(int) override { return stream_; }

 private:
  ImmediateStream stream_;
};

// Owns one allocation of a device.
class GE_API Buffer {
 public:
  Buffer() = default;
  static Result<Buffer> Make(Device& device, int64_t bytes);
  Buffer(Buffer&& o) noexcept : device_(o.device_), data_(o.data_) { o.data_ = nullptr; }
  Buffer& operator=(Buffer&& o) noexcept;
  ~Buffer();
  std::byte* data() const { return static_cast<std::byte*>(data_); }

 private:
  Device* device_ = nullptr;
  void* data_ = nullptr;
};

}  // namespace ge
