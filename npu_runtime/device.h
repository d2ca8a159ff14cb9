#pragma once
// Device: where a model's memory lives. HostDevice is the embedded one: plain host memory, zero copy.
#include <cstddef>
#include <memory>
#include <string_view>

#include "ge_core/base/status.h"

namespace ge {

class GE_API Device {
 public:
  virtual ~Device();
  virtual std::string_view name() const = 0;
  // 64-byte aligned; null when `bytes` is 0. Fails instead of throwing when memory runs out.
  virtual Result<void*> Allocate(int64_t bytes) = 0;
  virtual void Free(void* memory) = 0;
};

class GE_API HostDevice final : public Device {
 public:
  std::string_view name() const override { return "host"; }
  Result<void*> Allocate(int64_t bytes) override;
  void Free(void* memory) override;
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
