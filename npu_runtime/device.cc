#include "npu_runtime/device.h"

#include <cstdlib>
#include <cstring>

#include "ge_core/base/str.h"

namespace ge {

Device::~Device() = default;
Status Device::BeforeTask(int) { return {}; }
Status Device::AfterTask() { return {}; }
bool Device::Owns(const void*, int64_t) const { return true; }

Result<void*> HostDevice::Allocate(int64_t bytes) {
  if (bytes < 0) return InvalidArgument(StrCat("cannot allocate ", bytes, " bytes"));
  if (bytes == 0) return static_cast<void*>(nullptr);
  void* p = std::aligned_alloc(64, (static_cast<size_t>(bytes) + 63) / 64 * 64);
  if (!p) return FailedPrecondition(StrCat("out of memory: ", bytes, " bytes on the host"));
  return p;
}
void HostDevice::Free(void* memory) { std::free(memory); }
Status HostDevice::Copy(Direction, void* to, const void* from, int64_t bytes) {
  if (bytes > 0) std::memcpy(to, from, static_cast<size_t>(bytes));
  return {};
}

Result<Buffer> Buffer::Make(Device& device, int64_t bytes) {
  Buffer b;
  b.device_ = &device;
  GE_ASSIGN_OR_RETURN(b.data_, device.Allocate(bytes));
  return b;
}
Buffer& Buffer::operator=(Buffer&& o) noexcept {
  if (this != &o) {
    if (data_) device_->Free(data_);
    device_ = o.device_;
    data_ = o.data_;
    o.data_ = nullptr;
  }
  return *this;
}
Buffer::~Buffer() {
  if (data_) device_->Free(data_);
}

}  // namespace ge
