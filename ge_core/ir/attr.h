#pragma once
// Attr: an attribute value. Recursive, so that an ATen call's argument list is an attribute like any other.
#include <complex>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ge_core/ir/tensor.h"

namespace ge {

class Graph;

class GE_API Attr {
 public:
  using List = std::vector<Attr>;
  struct InputRef {
    int index;
    friend bool operator==(const InputRef&, const InputRef&) = default;
  };  // $0: the node's own input
  struct GraphRef {
    std::string name;
    friend bool operator==(const GraphRef&, const GraphRef&) = default;
  };  // @name: a subgraph of the module
  struct None {
    friend bool operator==(const None&, const None&) = default;
  };

  Attr() = default;  // None
  Attr(bool v) : v_(v) {}
  Attr(int v) : v_(static_cast<int64_t>(v)) {}
  Attr(int64_t v) : v_(v) {}
  Attr(double v) : v_(v) {}
  Attr(std::complex<double> v) : v_(v) {}
  Attr(std::string v) : v_(std::move(v)) {}
  Attr(std::string_view v) : v_(std::string(v)) {}
  Attr(const char* v) : v_(std::string(v)) {}
  Attr(DType v) : v_(v) {}
  Attr(Tensor v) : v_(std::make_shared<const Tensor>(std::move(v))) {}
  Attr(InputRef v) : v_(v) {}
  Attr(GraphRef v) : v_(std::move(v)) {}
  Attr(List v) : v_(std::move(v)) {}
  static Attr Ints(const std::vector<int64_t>& v) { return List(v.begin(), v.end()); }

  template <typename T>
  bool Is() const {
    return std::holds_alternative<Stored<T>>(v_);
  }
  template <typename T>
  const T* Get() const {
    const Stored<T>* v = std::get_if<Stored<T>>(&v_);
    if constexpr (std::is_same_v<T, Tensor>)
      return v ? v->get() : nullptr;
    else
      return v;
  }
  bool IsNone() const { return Is<None>(); }
  // An all-integer list (the empty list included), else nullopt.
  std::optional<std::vector<int64_t>> AsInts() const;
  // int64, double or bool as a double, else nullopt.
  std::optional<double> AsDouble() const;

  // Doubles compare bitwise (nan == nan, -0.0 != 0.0): equality means "the same computation".
  friend GE_API bool operator==(const Attr& a, const Attr& b);
  size_t Hash() const;

 private:
  // A tensor is several times larger than all other values: in place, it would be most of every attribute's size.
  using TensorPtr = std::shared_ptr<const Tensor>;  // never null
  template <typename T>
  using Stored = std::conditional_t<std::is_same_v<T, Tensor>, TensorPtr, T>;
  std::variant<None, bool, int64_t, double, std::complex<double>, std::string, DType, TensorPtr, InputRef, GraphRef, List> v_;
};

// Text form: 1, 1.0, nan, true, "s", dtype(f32), [1, 2], $0, @g, none, complex(1.0,2.0), tensor<f32[2]>[1, 2].
GE_API std::string ToString(const Attr& attr);

// Attributes of a node, ordered by name: printing is deterministic. A sorted vector: there are few. Set and Remove invalidate
// pointers to attributes, but not to tensors of other attributes.
class GE_API AttrMap {
 public:
  AttrMap() = default;
  AttrMap(std::initializer_list<std::pair<std::string, Attr>> items);
  void Set(std::string_view name, Attr value);
  // Whether there was one.
  bool Remove(std::string_view name);
  // Removes every attribute for which `condition(name, value)` holds.
  template <typename Condition>
  void RemoveIf(Condition condition) {
    std::erase_if(items_, [&](const auto& item) { return condition(item.first, item.second); });
  }
  const Attr* Find(std::string_view name) const {
    for (const auto& [key, value] : items_)
      if (key == name) return &value;
    return nullptr;
  }
  // The typed value, or null if absent or of another type.
  template <typename T>
  const T* Get(std::string_view name) const {
    const Attr* a = Find(name);
    return a ? a->Get<T>() : nullptr;
  }
  int64_t Int(std::string_view name, int64_t otherwise) const {
    auto* v = Get<int64_t>(name);
    return v ? *v : otherwise;
  }
  bool Bool(std::string_view name, bool otherwise) const {
    auto* v = Get<bool>(name);
    return v ? *v : otherwise;
  }
  double Float(std::string_view name, double otherwise) const {
    auto* a = Find(name);
    auto d = a ? a->AsDouble() : std::nullopt;
    return d ? *d : otherwise;
  }
  std::string_view Str(std::string_view name, std::string_view otherwise = {}) const {
    auto* v = Get<std::string>(name);
    return v ? std::string_view(*v) : otherwise;
  }
  std::optional<std::vector<int64_t>> Ints(std::string_view name) const {
    auto* a = Find(name);
    return a ? a->AsInts() : std::nullopt;
  }
  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }
  bool empty() const { return items_.empty(); }
  friend bool operator==(const AttrMap&, const AttrMap&) = default;

 private:
  std::vector<std::pair<std::string, Attr>> items_;
};

}  // namespace ge
