#pragma once
// Tensor: a constant. Static shape, contiguous, host memory, immutable once shared; copies share the buffer.
#include <cstddef>
#include <memory>
#include <span>

#include "ge_core/ir/type.h"

namespace ge {

class GE_API Tensor {
 public:
  Tensor() = default;
  // Zero-filled, 64-byte aligned. `type` must be a static tensor type; its layout is taken as contiguous.
  explicit Tensor(const ValueType& type);
  // Borrows `data` (StaticBytes of it), kept alive by `owner`.
  Tensor(const ValueType& type, std::shared_ptr<const void> owner, const void* data);

  template <typename T>
  static Tensor Of(DType dtype, std::vector<int64_t> shape, std::span<const T> values) {
    Tensor t(ValueType::Tensor(dtype, Shape(shape.begin(), shape.end())));
    GE_CHECK(values.size_bytes() == t.bytes().size(), "Tensor::Of: value count does not fit the shape");
    std::copy(values.begin(), values.end(), t.mutable_data<T>());
    return t;
  }
  // A one-dimensional i64 tensor, as shape-like operands are.
  static Tensor Ints(std::span<const int64_t> values) { return Of<int64_t>(DType::kI64, {static_cast<int64_t>(values.size())}, values); }

  bool defined() const { return data_ != nullptr; }
  const ValueType& type() const { return type_; }
  DType dtype() const { return type_.dtype(); }
  int64_t num_elements() const { return type_.StaticNumElements(); }
  template <typename T>
  const T* data() const {
    return static_cast<const T*>(data_);
  }
  // Only while this Tensor is the sole owner (just constructed).
  template <typename T>
  T* mutable_data() {
    return static_cast<T*>(const_cast<void*>(data_));
  }
  std::span<const std::byte> bytes() const { return {static_cast<const std::byte*>(data_), static_cast<size_t>(type_.StaticBytes())}; }

  // Same logical type and the same bytes: -0.0 differs from 0.0, NaN payloads count.
  friend GE_API bool operator==(const Tensor& a, const Tensor& b);

 private:
  ValueType type_;
  std::shared_ptr<const void> owner_;
  const void* data_ = nullptr;
};

}  // namespace ge
