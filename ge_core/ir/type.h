#pragma once
// ValueType: what flows along an edge. A tensor (dtype, logical shape, AscendIR format, storage layout), a sym (a host
// integer, float or bool with an optional expression), or opaque (None, list, sparse, nested, quantised, script
// object: only fallback nodes touch it).
#include <optional>
#include <string>
#include <vector>

#include "ge_core/ir/dim.h"
#include "ge_core/ir/dtype.h"

namespace ge {

using Shape = std::vector<Dim>;

// AscendIR format: the meaning of the axes, not how they are stored.
enum class Format : uint8_t { kND, kNCHW, kNHWC, kHWCN, kNCDHW, kNDHWC };
GE_API std::string_view Name(Format f);
GE_API std::optional<Format> FormatFromName(std::string_view name);

// How the elements lie in memory.
struct GE_API StorageLayout {
  enum class Kind : uint8_t {
    kContiguous,  // row-major, dense: the default, printed as nothing
    kFree,        // a pass may choose; printed {free}
    kStrided,     // explicit strides in elements; printed {4,1}
    kPacked,      // an engine's own blocked form; printed {packed "name"}
  };
  Kind kind = Kind::kContiguous;
  std::vector<Dim> strides;  // kStrided: one per axis
  std::string packed;        // kPacked: "<engine>:<bytes>:<descriptor>"

  static StorageLayout Strided(std::vector<Dim> s) { return {Kind::kStrided, std::move(s), {}}; }
  static StorageLayout Packed(std::string name) { return {Kind::kPacked, {}, std::move(name)}; }
  // Bytes of a buffer in this packed layout, padding included, as its name states them; nullopt if this is no packed
  // layout or the name is malformed. The engine checks the number against the descriptor when it loads a kernel.
  std::optional<int64_t> PackedBytes() const;
  friend bool operator==(const StorageLayout&, const StorageLayout&) = default;
};

class GE_API ValueType {
 public:
  enum class Kind : uint8_t { kTensor, kSym, kOpaque };
  enum class Placement : uint8_t { kDevice, kHost };

  ValueType() = default;  // opaque
  static ValueType Tensor(DType dtype, Shape shape) {
    ValueType t;
    t.kind_ = Kind::kTensor;
    t.dtype_ = dtype;
    t.shape_ = std::move(shape);
    return t;
  }
  // dtype: kI64, kF64 or kBool. `expr` is the value where it is known (an integer expression), else Unknown.
  static ValueType Sym(DType dtype, Dim expr = Dim::Unknown()) {
    ValueType t;
    t.kind_ = Kind::kSym;
    t.dtype_ = dtype;
    t.shape_ = {std::move(expr)};
    t.placement = Placement::kHost;
    return t;
  }
  static ValueType Opaque() { return {}; }

  Kind kind() const { return kind_; }
  bool IsTensor() const { return kind_ == Kind::kTensor; }
  bool IsSym() const { return kind_ == Kind::kSym; }
  bool IsOpaque() const { return kind_ == Kind::kOpaque; }
  DType dtype() const { return dtype_; }
  const Shape& shape() const { return shape_; }  // tensors only
  int64_t rank() const { return static_cast<int64_t>(shape_.size()); }
  const Dim& expr() const { return shape_[0]; }  // syms only

  // All dims known. Empty tensors and scalars are static.
  bool IsStatic() const;
  Dim NumElements() const;  // product of the dims; 1 for a scalar
  int64_t StaticNumElements() const { return NumElements().value(); }
  // Bytes of a dense buffer of a static tensor type.
  int64_t StaticBytes() const { return StaticNumElements() * static_cast<int64_t>(SizeOf(dtype_)); }
  // Row-major strides in elements, as PyTorch computes them for a contiguous tensor (extents of 0 count as 1).
  std::vector<Dim> ContiguousStrides() const;
  // The strides the layout stands for: ContiguousStrides for kContiguous and kFree. Not for packed layouts.
  std::vector<Dim> Strides() const;

  // Same kind, dtype, shape; layout, format and placement aside. What shape inference determines.
  friend bool SameLogicalType(const ValueType& a, const ValueType& b) {
    return a.kind_ == b.kind_ && (a.IsOpaque() || (a.dtype_ == b.dtype_ && a.shape_ == b.shape_));
  }
  friend bool operator==(const ValueType&, const ValueType&) = default;

  Format format = Format::kND;
  Placement placement = Placement::kDevice;

 private:
  Kind kind_ = Kind::kOpaque;
  DType dtype_ = DType::kF32;
  Shape shape_;

 public:
  StorageLayout layout;  // last: large, seldom read, and sweeps over large graphs wait for memory
};

// Text form: "f32[2,3]", "f32[s0,8]:NCHW{4,1}", "i64[2]@host" (a tensor placed on the host), "sym.i64", "sym.i64[s0+1]", "opaque".
GE_API std::string ToString(const ValueType& type);

// The strides of a dense tensor of this shape, of two axes or more, whose axis 1 lies innermost (NHWC, NDHWC, NWC).
GE_API StorageLayout ChannelsLast(const Shape& shape);

}  // namespace ge
