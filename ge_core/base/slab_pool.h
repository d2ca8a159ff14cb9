#pragma once
// SlabPool: memory for objects of one size, cut from large slabs.
//
// Objects made one after the other lie one after the other, which a sweep over 100,000 of them needs twice: the processor
// fetches ahead, and slabs of 2 MiB take one entry of the address translation cache each, where pages of 4 KiB would need
// more entries than it has.
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <vector>

#include "ge_core/base/api.h"

namespace ge {

class GE_API SlabPool {
 public:
  // For objects of `object_size` bytes, each aligned to a cache line. The end of the pool gives back all memory, but destroys
  // no object.
  explicit SlabPool(size_t object_size);
  SlabPool(const SlabPool&) = delete;
  SlabPool& operator=(const SlabPool&) = delete;

  // Memory for one object, uninitialised.
  void* Allocate() {
    if (free_) {
      FreeCell* cell = free_;
      free_ = cell->next;
      return cell;
    }
    return Cut();
  }
  // Takes back what Allocate returned, after the object's destructor. The next Allocate may return it again.
  void Free(void* cell);

 private:
  struct FreeCell {
    FreeCell* next;
  };
  struct FreeMemory {
    void operator()(void* p) const { std::free(p); }
  };
  void* Cut();
  size_t cell_size_, slab_size_;
  std::vector<std::unique_ptr<void, FreeMemory>> slabs_;
  std::byte *uncut_ = nullptr, *end_ = nullptr;  // of the last slab
  FreeCell* free_ = nullptr;
};

}  // namespace ge
