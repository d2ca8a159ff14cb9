#pragma once
// SmallVector: a vector whose first N elements lie in the object itself. For lists that are nearly always short and that sweeps
// read: an element in place costs no wait for another part of memory, and no heap block.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <span>
#include <type_traits>
#include <vector>

#include "ge_core/base/check.h"

namespace ge {

// As std::vector, with two differences: elements are trivially copyable, and moving is copying (no reference survives it).
template <typename T, uint32_t N>
class SmallVector {
  static_assert(std::is_trivially_copyable_v<T>, "elements are moved by memcpy");
  static_assert(alignof(T) <= alignof(std::max_align_t));

 public:
  using value_type = T;
  using iterator = T*;
  using const_iterator = const T*;

  SmallVector() {}  // the inline elements stay uninitialised
  SmallVector(std::span<const T> elements) { assign(elements); }
  SmallVector(std::initializer_list<T> elements) { assign({elements.begin(), elements.size()}); }
  SmallVector(const SmallVector& other) { assign(other); }
  SmallVector& operator=(const SmallVector& other) {
    if (this != &other) assign(other);
    return *this;
  }
  ~SmallVector() {
    if (spilled()) std::free(heap_);
  }
  operator std::vector<T>() const { return {begin(), end()}; }

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  // The elements are in a heap block.
  bool spilled() const { return capacity_ > N; }
  T* data() { return spilled() ? heap_ : inline_; }
  const T* data() const { return spilled() ? heap_ : inline_; }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  T& operator[](size_t i) { return data()[i]; }
  const T& operator[](size_t i) const { return data()[i]; }
  T& front() { return data()[0]; }
  const T& front() const { return data()[0]; }
  T& back() { return data()[size_ - 1]; }
  const T& back() const { return data()[size_ - 1]; }

  void push_back(T element) {  // by value: it may be an element of this vector
    if (size_ == capacity_) Grow(size_ + size_t{1});
    data()[size_++] = element;
  }
  void pop_back() { --size_; }
  void clear() { size_ = 0; }
  T* erase(const T* at) {
    T* hole = begin() + (at - begin());
    std::copy(hole + 1, end(), hole);
    --size_;
    return hole;
  }
  // New elements are value-initialised.
  void resize(size_t size) {
    if (size > capacity_) Grow(size);
    if (size > size_) std::fill(end(), data() + size, T());
    size_ = static_cast<uint32_t>(size);
  }
  // `elements` may not be part of this vector.
  void assign(std::span<const T> elements) {
    size_ = 0;
    if (elements.size() > capacity_) Grow(elements.size());
    std::copy(elements.begin(), elements.end(), data());
    size_ = static_cast<uint32_t>(elements.size());
  }

  friend bool operator==(const SmallVector& a, const SmallVector& b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }
  friend bool operator==(const SmallVector& a, const std::vector<T>& b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }

 private:
  void Grow(size_t least) {
    const size_t capacity = std::max(least, 2 * size_t{capacity_});
    GE_CHECK(capacity <= UINT32_MAX, "a SmallVector holds less than 2^32 elements");
    T* block = static_cast<T*>(std::realloc(spilled() ? heap_ : nullptr, capacity * sizeof(T)));
    GE_CHECK(block, "out of memory");
    if (!spilled()) std::copy(inline_, inline_ + size_, block);
    heap_ = block;
    capacity_ = static_cast<uint32_t>(capacity);
  }

  uint32_t size_ = 0, capacity_ = N;
  union {
    T inline_[N];
    T* heap_ = nullptr;
  };
};

}  // namespace ge
