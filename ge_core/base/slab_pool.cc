#include "ge_core/base/slab_pool.h"

#include <sys/mman.h>

#include <algorithm>
#include <new>

#include "ge_core/base/check.h"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif

namespace ge {
namespace {

constexpr size_t kCacheLine = 64;
constexpr size_t kFirstSlab = size_t{8} << 10;  // most graphs are small
constexpr size_t kHugePage = size_t{2} << 20;

}  // namespace

SlabPool::SlabPool(size_t object_size) : cell_size_((object_size + kCacheLine - 1) / kCacheLine * kCacheLine), slab_size_(kFirstSlab / 2) {
  GE_CHECK(cell_size_ > 0 && cell_size_ <= kFirstSlab, "a SlabPool is for small objects");
}

void* SlabPool::Cut() {
  if (uncut_ == end_) {
    slab_size_ = std::min(2 * slab_size_, kHugePage);  // doubling: as much again as is in use, at most
    void* slab = std::aligned_alloc(slab_size_ == kHugePage ? kHugePage : kCacheLine, slab_size_);
    GE_CHECK(slab, "out of memory");
    if (slab_size_ == kHugePage) madvise(slab, slab_size_, MADV_HUGEPAGE);  // a hint: refused, it is slower only
    slabs_.emplace_back(slab);
    uncut_ = static_cast<std::byte*>(slab);
    end_ = uncut_ + slab_size_ / cell_size_ * cell_size_;
  }
  void* cell = uncut_;
  uncut_ += cell_size_;
  return cell;
}

void SlabPool::Free(void* cell) {
#ifdef __SANITIZE_ADDRESS__
  // Never given out again, so that a use after the end is found as it would be on the heap.
  __asan_poison_memory_region(cell, cell_size_);
#else
  free_ = new (cell) FreeCell{free_};
#endif
}

}  // namespace ge
