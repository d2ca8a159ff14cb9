#pragma once
// What the element-wise operators share: dtype sets, shape inference, and the loops of their reference kernels.
//
// Rules of the whole group. Two tensor operands need one dtype (mixed dtypes stay with the fallback node, which knows
// PyTorch's promotion of 0-d tensors). A Python number is no tensor: it sits in the attribute `scalar` and stands for the
// operand that is absent. Reference kernels compute f32, f16 and bf16 in float, f64 in double, integers and bool in
// int64_t, and convert once when storing, as PyTorch's CPU kernels do; a dtype that one lacks gives Unimplemented.
#include <cmath>

#include "ge_core/ir/host_kernel.h"
#include "host_kernels/broadcast.h"
#include "host_kernels/element_util.h"
#include "host_kernels/promote.h"

namespace ge::elewise {

using Types = std::vector<ValueType>;
using elem::Tag;

// The integers that all of PyTorch's operators know; u16, u32 and u64 have few kernels and stay with the fallback.
inline constexpr TypeSet kInts = TypesOf(DType::kI8, DType::kI16, DType::kI32, DType::kI64, DType::kU8);
inline constexpr TypeSet kReals = kFloatTypes | kInts;
inline constexpr TypeSet kRealsBool = kReals | kBoolType;
inline constexpr TypeSet kIntsBool = kInts | kBoolType;
inline constexpr TypeSet kComplexes = TypesOf(DType::kC64, DType::kC128);  // c32 has few kernels too
inline constexpr TypeSet kNumbers = kReals | kComplexes;
inline constexpr TypeSet kAll = kRealsBool | kComplexes;

// ---- shape inference

// y has the type of input 0.
GE_API Result<Types> InferSame(const InferContext& ctx);
// y has the shape of input 0; integers and bool become f32.
GE_API Result<Types> InferFloat(const InferContext& ctx);
// y is bool, of the shape of input 0.
GE_API Result<Types> InferPredicate(const InferContext& ctx);
// Two operands, one of which may be the attribute `scalar`: y has the common dtype / the same in floating point / bool.
GE_API Result<Types> InferBinary(const InferContext& ctx);
GE_API Result<Types> InferBinaryFloat(const InferContext& ctx);
GE_API Result<Types> InferCompare(const InferContext& ctx);
// One operand and the number in the attribute `value`: y has the promoted dtype.
GE_API Result<Types> InferScalar(const InferContext& ctx);
// Any number of tensor operands of one dtype (absent ones skipped): every output has it and the broadcast shape.
GE_API Result<Types> InferBroadcast(const InferContext& ctx);

// Broadcast shape of the present tensor inputs first .. last. Fails unless all are tensors.
GE_API Result<Shape> BroadcastInputs(const InferContext& ctx, int first, int last);
// Fails with Unimplemented unless the present inputs first .. last are tensors of one dtype.
GE_API Status CheckSameDType(const InferContext& ctx, int first, int last);
// Fails unless each present attribute of `names` is a number that fits `dtype` and is of no higher category.
GE_API Status CheckScalars(const InferContext& ctx, DType dtype, std::initializer_list<std::string_view> names);
// What operands a and b compute in: their dtype, or the promotion of the one present with the attribute `scalar`.
GE_API Result<DType> CommonDType(const InferContext& ctx, int a = 0, int b = 1);

// ---- reference kernels

inline const Tensor* In(const HostKernelContext& c, int i) {
  return static_cast<size_t>(i) < c.inputs.size() ? c.inputs[static_cast<size_t>(i)] : nullptr;
}
GE_API Status NoKernel(const HostKernelContext& c, DType dtype);
GE_API DType CommonDType(const HostKernelContext& c, int a = 0, int b = 1);

// An operand as values of C, broadcast to the output: element i of the output reads operator[](i).
template <typename C>
class Operand {
 public:
  // Borrows n values.
  explicit Operand(const C* data) : data_(data) {}
  explicit Operand(std::vector<C> values) : own_(std::make_shared<std::vector<C>>(std::move(values))), data_(own_->data()) {}
  static Operand One(C value) {
    Operand o(std::vector<C>{value});
    o.step_ = 0;
    return o;
  }
  const C& operator[](size_t i) const { return data_[i * step_]; }

 private:
  std::shared_ptr<std::vector<C>> own_;
  const C* data_;
  size_t step_ = 1;
};
template <>
class Operand<bool> {  // std::vector<bool> has no data()
 public:
  explicit Operand(const bool* data) : data_(data) {}
  explicit Operand(std::vector<char> values) : own_(std::make_shared<std::vector<char>>(std::move(values))) {}
  bool operator[](size_t i) const { return own_ ? (*own_)[i] != 0 : data_[i]; }

 private:
  std::shared_ptr<std::vector<char>> own_;
  const bool* data_ = nullptr;
};

// C: float, double, int64_t, std::complex<double>, bool. The tensor's dtype converts to C without loss, or as PyTorch's
// cast to the common dtype does (integers to float).
template <typename C>
Operand<C> Load(const Tensor& tensor, const ValueType& output);
// Whether a number is rounded to the tensor's dtype first. PyTorch's kernels differ for f16 and bf16.
enum class ScalarIs { kRounded, kExact };
template <typename C>
C ScalarAs(const Attr& scalar, DType dtype, ScalarIs how);
// Input i, or the attribute `scalar` in its place.
template <typename C>
Operand<C> LoadOrScalar(const HostKernelContext& c, int i, DType common, ScalarIs how = ScalarIs::kRounded) {
  if (const Tensor* t = In(c, i)) return Load<C>(*t, c.outputs[0].type());
  return Operand<C>::One(ScalarAs<C>(c.node.attr("scalar"), common, how));
}

// Converts n values to the output's dtype.
template <typename C>
void Store(const C* values, Tensor& output);

// output[i] = f(operands[i]...). A predicate (f gives bool) writes a bool output.
template <typename F, typename... C>
void Map(Tensor& output, F f, const Operand<C>&... operands) {
  using R = decltype(f(operands[0]...));
  const size_t n = static_cast<size_t>(output.num_elements());
  if constexpr (std::is_same_v<R, bool>) {
    bool* y = output.mutable_data<bool>();
    for (size_t i = 0; i < n; ++i) y[i] = f(operands[i]...);
  } else if ((std::is_same_v<R, float> && output.dtype() == DType::kF32) || (std::is_same_v<R, double> && output.dtype() == DType::kF64)) {
    R* y = output.mutable_data<R>();
    for (size_t i = 0; i < n; ++i) y[i] = f(operands[i]...);
  } else {
    std::vector<R> y(n);
    for (size_t i = 0; i < n; ++i) y[i] = f(operands[i]...);
    Store(y.data(), output);
  }
}

// Calls fn(Tag<C>) with the type that `dtype` computes in; floating point only / integers and bool too / complex too.
template <typename Fn>
Status DispatchFloat(const HostKernelContext& c, DType dtype, Fn fn) {
  if (dtype == DType::kF64) return fn(Tag<double>{}), Status();
  if (kFloatTypes.Has(dtype)) return fn(Tag<float>{}), Status();
  return NoKernel(c, dtype);
}
template <typename Fn>
Status DispatchReal(const HostKernelContext& c, DType dtype, Fn fn) {
  if (kIntsBool.Has(dtype)) return fn(Tag<int64_t>{}), Status();
  return DispatchFloat(c, dtype, fn);
}
template <typename Fn>
Status DispatchAll(const HostKernelContext& c, DType dtype, Fn fn) {
  if (kComplexes.Has(dtype)) return fn(Tag<std::complex<double>>{}), Status();
  return DispatchReal(c, dtype, fn);
}

// y = f(x), computed in y's dtype.
template <typename F>
Status UnaryFloat(const HostKernelContext& c, F f) {
  return DispatchFloat(c, c.outputs[0].dtype(), [&]<typename C>(Tag<C>) { Map(c.outputs[0], f, Load<C>(*In(c, 0), c.outputs[0].type())); });
}
template <typename F>
Status UnaryReal(const HostKernelContext& c, F f) {
  return DispatchReal(c, c.outputs[0].dtype(), [&]<typename C>(Tag<C>) { Map(c.outputs[0], f, Load<C>(*In(c, 0), c.outputs[0].type())); });
}
// y = f(x) is bool, computed in x's dtype.
template <typename F>
Status UnaryPredicate(const HostKernelContext& c, F f) {
  return DispatchReal(c, In(c, 0)->dtype(), [&]<typename C>(Tag<C>) { Map(c.outputs[0], f, Load<C>(*In(c, 0), c.outputs[0].type())); });
}
// y = f(x1, x2), computed in y's dtype, which is floating point / any real one.
template <typename F>
Status BinaryFloat(const HostKernelContext& c, F f, ScalarIs how = ScalarIs::kRounded) {
  const DType t = c.outputs[0].dtype();
  return DispatchFloat(c, t,
                       [&]<typename C>(Tag<C>) { Map(c.outputs[0], f, LoadOrScalar<C>(c, 0, t, how), LoadOrScalar<C>(c, 1, t, how)); });
}
template <typename F>
Status BinaryReal(const HostKernelContext& c, F f, ScalarIs how = ScalarIs::kRounded) {
  const DType t = c.outputs[0].dtype();
  return DispatchReal(c, t,
                      [&]<typename C>(Tag<C>) { Map(c.outputs[0], f, LoadOrScalar<C>(c, 0, t, how), LoadOrScalar<C>(c, 1, t, how)); });
}
// y = f(x1, x2) is bool, computed in the operands' common dtype.
template <typename F>
Status BinaryPredicate(const HostKernelContext& c, F f) {
  const DType t = CommonDType(c);
  return DispatchReal(c, t, [&]<typename C>(Tag<C>) { Map(c.outputs[0], f, LoadOrScalar<C>(c, 0, t), LoadOrScalar<C>(c, 1, t)); });
}
// Fails as PyTorch does if an integer division (x1 by x2, or by `scalar`) meets a divisor of 0.
GE_API Status CheckDivisor(const HostKernelContext& c);

// Wrap-around integer arithmetic; plain for floats.
template <typename C>
C Sub(C a, C b) {
  if constexpr (std::is_same_v<C, int64_t>)
    return static_cast<int64_t>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b));
  else
    return a - b;
}
using elem::WrapAdd;
using elem::WrapMul;

// maximum / minimum of PyTorch: NaN wins, and of two equal values (0 and -0) the first.
template <typename C>
C Max(C a, C b) {
  if constexpr (std::is_floating_point_v<C>)
    if (std::isnan(a)) return a;
  if constexpr (std::is_floating_point_v<C>)
    if (std::isnan(b)) return b;
  return a < b ? b : a;
}
template <typename C>
C Min(C a, C b) {
  if constexpr (std::is_floating_point_v<C>)
    if (std::isnan(a)) return a;
  if constexpr (std::is_floating_point_v<C>)
    if (std::isnan(b)) return b;
  return b < a ? b : a;
}
// 1 / (1 + e^-x)
template <typename C>
C Sigmoid(C x) {
  return C(1) / (C(1) + std::exp(-x));
}

// A number attribute in the compute type C.
template <typename C>
C Param(const HostKernelContext& c, std::string_view name) {
  return static_cast<C>(c.node.Float(name));
}

// Rounds a float to a 16-bit dtype and back; other dtypes: unchanged.
template <typename C>
C RoundTo(DType dtype, C v) {
  if (dtype == DType::kBF16) return static_cast<C>(static_cast<float>(elem::BFloat16(static_cast<float>(v))));
  if (dtype == DType::kF16) return static_cast<C>(static_cast<float>(elem::Half(static_cast<float>(v))));
  return v;
}

}  // namespace ge::elewise
