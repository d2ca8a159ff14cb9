#pragma once
// The address space of SimDevice: one reserved range. Every allocation has a range of pages to itself, between fences.
#include <map>
#include <vector>

#include "npu_runtime/device.h"

namespace ge {

// Memory that holds no value: NaN in every float format, -1 as an integer.
constexpr unsigned char kPoison = 0xFF;

class GE_API SimMemory {
 public:
  // `protect_freed`: pages of freed memory become inaccessible, so that touching them raises SIGSEGV.
  static Result<std::unique_ptr<SimMemory>> Make(bool protect_freed);
  ~SimMemory();

  // Poisoned. Null for 0 bytes.
  Result<void*> Allocate(int64_t bytes);
  // A double or foreign free is a violation that the next Check reports.
  void Free(void* memory);
  // Fences of all live allocations are whole, and nobody wrote to freed memory. Names addresses and offsets; what it has
  // reported once it repairs, so that one error is one report.
  Status Check();
  bool Owns(const void* memory, int64_t bytes) const;     // inside one live allocation
  bool Contains(const void* memory) const;                // anywhere in the address space, live or not
  int64_t live_bytes() const;
  int64_t live_allocations() const;
  int64_t quarantined_bytes() const;

 private:
  struct Block {
    int64_t bytes = 0;    // asked for
    size_t mapped = 0;    // whole pages, fences included
    std::byte* base = nullptr;
  };
  SimMemory() = default;
  std::byte* Reuse(size_t mapped);
  Status CheckBlock(const std::byte* data, const Block& block);
  Status CheckFreed(const std::byte* data, const Block& block);

  bool protect_freed_ = false;
  std::byte* pool_ = nullptr;
  size_t used_ = 0;
  mutable std::mutex mutex_;
  std::map<const std::byte*, Block> live_;                           // by the address handed out
  std::vector<std::pair<const std::byte*, Block>> quarantine_;       // oldest first
  std::multimap<size_t, std::byte*> free_;                           // mapped size -> base
  int64_t live_bytes_ = 0, quarantined_bytes_ = 0;
  Status bad_free_;
};

}  // namespace ge
