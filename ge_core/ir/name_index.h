#pragma once
// NameIndex: hash -> dense id, for names that live elsewhere. Open addressing over eight bytes an entry: in a graph of 100,000
// nodes, a look-up in std::unordered_map waits four times for memory, this one once.
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ge {

class NameIndex {
 public:
  // The id entered under `hash` for which `same(id)` holds; -1 if there is none.
  template <typename Same>
  int Find(uint32_t hash, Same same) const {
    if (slots_.empty()) return -1;
    for (size_t at = hash & mask();; at = (at + 1) & mask()) {
      const Slot& slot = slots_[at];
      if (slot.id == kFree) return -1;
      if (slot.id >= 0 && slot.hash == hash && same(slot.id)) return slot.id;
    }
  }
  // `id` must not be entered yet.
  void Insert(uint32_t hash, int id) {
    if ((used_ + 1) * 2 > slots_.size()) Grow();
    size_t at = hash & mask();
    while (slots_[at].id != kFree) at = (at + 1) & mask();
    slots_[at] = {hash, id};
    ++used_;
    ++live_;
  }
  void Erase(uint32_t hash, int id) {
    if (slots_.empty()) return;
    for (size_t at = hash & mask(); slots_[at].id != kFree; at = (at + 1) & mask()) {
      if (slots_[at].id != id) continue;
      slots_[at].id = kGone;  // keeps its place in the probe sequences that pass through it, until the table is rebuilt
      --live_;
      return;
    }
  }

 private:
  static constexpr int32_t kFree = -1, kGone = -2;
  struct Slot {
    uint32_t hash = 0;
    int32_t id = kFree;
  };
  size_t mask() const { return slots_.size() - 1; }
  void Grow() {
    size_t size = 16;
    while (size < 4 * (live_ + 1)) size *= 2;
    std::vector<Slot> old(size);
    old.swap(slots_);
    used_ = live_ = 0;
    for (const Slot& slot : old)
      if (slot.id >= 0) Insert(slot.hash, slot.id);
  }
  std::vector<Slot> slots_;  // a power of two
  size_t used_ = 0, live_ = 0;
};

}  // namespace ge
