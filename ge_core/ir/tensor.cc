#include "ge_core/ir/tensor.h"

#include <cstdlib>
#include <cstring>

namespace ge {
namespace {

ValueType Contiguous(const ValueType& type) {
  ValueType t = ValueType::Tensor(type.dtype(), type.shape());
  t.format = type.format;
  return t;
}

}  // namespace

Tensor::Tensor(const ValueType& type) : type_(Contiguous(type)) {
  GE_CHECK(type.IsStatic(), "a constant needs a static tensor type");
  const size_t bytes = (static_cast<size_t>(type_.StaticBytes()) + 63) / 64 * 64;
  void* data = std::aligned_alloc(64, bytes ? bytes : 64);
  GE_CHECK(data != nullptr, "out of memory for a constant");
  std::memset(data, 0, bytes ? bytes : 64);
  owner_ = std::shared_ptr<const void>(data, [](const void* p) { std::free(const_cast<void*>(p)); });
  data_ = data;
}

Tensor::Tensor(const ValueType& type, std::shared_ptr<const void> owner, const void* data)
    : type_(Contiguous(type)), owner_(std::move(owner)), data_(data) {
  GE_CHECK(type.IsStatic(), "a constant needs a static tensor type");
}

bool operator==(const Tensor& a, const Tensor& b) {
  if (a.defined() != b.defined()) return false;
  if (!a.defined()) return true;
  if (!SameLogicalType(a.type_, b.type_)) return false;
  return a.data_ == b.data_ || a.bytes().empty() || std::memcmp(a.data_, b.data_, a.bytes().size()) == 0;
}

}  // namespace ge
