#include "npu_runtime/sim_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "ge_core/base/str.h"

namespace ge {
namespace {

constexpr size_t kPoolBytes = size_t{1} << 36;      // reserved, not used
constexpr int64_t kQuarantineBytes = 64 << 20;      // freed memory is used again after so much more was freed
constexpr size_t kPage = 4096, kFence = 64;
constexpr unsigned char kFenceByte = 0xFA;

std::string Hex(const void* p) {
  char text[32];
  std::snprintf(text, sizeof text, "%p", p);
  return text;
}

// The first byte of [from, to) that differs from `want`, or null.
const std::byte* FirstOther(const std::byte* from, const std::byte* to, unsigned char want) {
  const auto* found = std::find_if(from, to, [&](std::byte b) { return b != std::byte{want}; });
  return found == to ? nullptr : found;
}

}  // namespace

Result<std::unique_ptr<SimMemory>> SimMemory::Make(bool protect_freed) {
  void* pool = mmap(nullptr, kPoolBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pool == MAP_FAILED)
    return FailedPrecondition(StrCat("sim: cannot reserve ", kPoolBytes, " bytes of address space; is 'ulimit -v' set?"));
  std::unique_ptr<SimMemory> m(new SimMemory());
  m->protect_freed_ = protect_freed;
  m->pool_ = static_cast<std::byte*>(pool);
  return m;
}

SimMemory::~SimMemory() {
  if (pool_) munmap(pool_, kPoolBytes);
}

std::byte* SimMemory::Reuse(size_t mapped) {
  auto it = free_.find(mapped);
  if (it == free_.end()) return nullptr;
  std::byte* base = it->second;
  free_.erase(it);
  return base;
}

Result<void*> SimMemory::Allocate(int64_t bytes) {
  if (bytes < 0) return InvalidArgument(StrCat("sim: cannot allocate ", bytes, " bytes"));
  if (bytes == 0) return static_cast<void*>(nullptr);
  if (static_cast<size_t>(bytes) > kPoolBytes) return FailedPrecondition(StrCat("out of memory: ", bytes, " bytes on sim"));
  const size_t mapped = (static_cast<size_t>(bytes) + 2 * kFence + kPage - 1) / kPage * kPage;
  std::lock_guard lock(mutex_);
  std::byte* base = Reuse(mapped);
  if (!base) {
    if (mapped + kPage > kPoolBytes - used_)
      return FailedPrecondition(StrCat("out of memory: ", bytes, " bytes on sim, ", used_, " of ", kPoolBytes, " are in use"));
    base = pool_ + used_;
    used_ += mapped + kPage;  // an inaccessible page lies between any two allocations
  }
  if (mprotect(base, mapped, PROT_READ | PROT_WRITE) != 0)
    return FailedPrecondition(StrCat("out of memory: ", bytes, " bytes on sim: mprotect failed"));
  std::byte* data = base + kFence;
  std::memset(base, kFenceByte, mapped);
  std::memset(data, kPoison, static_cast<size_t>(bytes));
  live_.emplace(data, Block{bytes, mapped, base});
  live_bytes_ += bytes;
  return static_cast<void*>(data);
}

void SimMemory::Free(void* memory) {
  if (!memory) return;
  std::lock_guard lock(mutex_);
  auto it = live_.find(static_cast<std::byte*>(memory));
  if (it == live_.end()) {
    if (bad_free_.ok())
      bad_free_ = Internal(StrCat("sim: Free(", Hex(memory), ") of memory that is not allocated: freed twice, or not the device's"));
    return;
  }
  const Block block = it->second;
  if (Status s = CheckBlock(it->first, block); !s.ok() && bad_free_.ok()) bad_free_ = std::move(s).Annotate("found when it was freed");
  std::memset(block.base, kPoison, block.mapped);
  if (protect_freed_) mprotect(block.base, block.mapped, PROT_NONE);
  quarantine_.emplace_back(it->first, block);
  live_.erase(it);
  live_bytes_ -= block.bytes;
  quarantined_bytes_ += static_cast<int64_t>(block.mapped);
  size_t gone = 0;
  while (quarantined_bytes_ > kQuarantineBytes && gone < quarantine_.size()) {
    const auto& [data, old] = quarantine_[gone++];
    if (Status s = CheckFreed(data, old); !s.ok() && bad_free_.ok()) bad_free_ = std::move(s);
    madvise(old.base, old.mapped, MADV_DONTNEED);
    quarantined_bytes_ -= static_cast<int64_t>(old.mapped);
    free_.emplace(old.mapped, old.base);
  }
  quarantine_.erase(quarantine_.begin(), quarantine_.begin() + static_cast<std::ptrdiff_t>(gone));
}

Status SimMemory::CheckBlock(const std::byte* data, const Block& block) {
  const std::byte *end = block.base + block.mapped, *hit = FirstOther(block.base, data, kFenceByte);
  if (!hit) hit = FirstOther(data + block.bytes, end, kFenceByte);
  if (!hit) return {};
  const std::ptrdiff_t offset = hit - data;
  std::memset(block.base, kFenceByte, kFence);
  std::memset(block.base + kFence + block.bytes, kFenceByte, block.mapped - kFence - static_cast<size_t>(block.bytes));
  return Internal(StrCat("sim: write outside an allocation: ", Hex(hit), " is at offset ", offset, " of the allocation of ", block.bytes,
                         " bytes at ", Hex(data)));
}

Status SimMemory::CheckFreed(const std::byte* data, const Block& block) {
  if (protect_freed_) return {};
  const std::byte* hit = FirstOther(block.base, block.base + block.mapped, kPoison);
  if (!hit) return {};
  std::memset(block.base, kPoison, block.mapped);
  return Internal(StrCat("sim: write to freed memory: ", Hex(hit), " is at offset ", hit - data, " of the allocation of ", block.bytes,
                         " bytes that was at ", Hex(data)));
}

Status SimMemory::Check() {
  std::lock_guard lock(mutex_);
  if (!bad_free_.ok()) return std::exchange(bad_free_, Status());
  for (const auto& [data, block] : live_) GE_RETURN_IF_ERROR(CheckBlock(data, block));
  for (const auto& [data, block] : quarantine_) GE_RETURN_IF_ERROR(CheckFreed(data, block));
  return {};
}

bool SimMemory::Owns(const void* memory, int64_t bytes) const {
  if (bytes == 0) return true;
  const auto* p = static_cast<const std::byte*>(memory);
  std::lock_guard lock(mutex_);
  auto it = live_.upper_bound(p);
  if (it == live_.begin()) return false;
  --it;
  return p - it->first <= it->second.bytes && bytes <= it->second.bytes - (p - it->first);
}

bool SimMemory::Contains(const void* memory) const {
  const auto* p = static_cast<const std::byte*>(memory);
  return p >= pool_ && p < pool_ + kPoolBytes;
}

int64_t SimMemory::live_bytes() const {
  std::lock_guard lock(mutex_);
  return live_bytes_;
}
int64_t SimMemory::live_allocations() const {
  std::lock_guard lock(mutex_);
  return static_cast<int64_t>(live_.size());
}
int64_t SimMemory::quarantined_bytes() const {
  std::lock_guard lock(mutex_);
  return quarantined_bytes_;
}

}  // namespace ge
