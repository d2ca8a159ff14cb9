#include "ge_core/eval/random_inputs.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <regex>

#include "ge_core/base/str.h"
#include "ge_core/ir/text.h"
#include "ge_core/ir/verifier.h"

namespace ge {
namespace {

template <typename T>
void Fill(Tensor& t, std::mt19937_64& rng, auto make) {
  for (int64_t i = 0; i < t.num_elements(); ++i) t.mutable_data<T>()[i] = static_cast<T>(make(rng));
}

// Values of every kind that tells computations apart.
Result<Tensor> RandomTensor(const ValueType& type, bool tame, std::mt19937_64& rng) {
  Tensor t(type);
  auto real = [tame](std::mt19937_64& r) -> double {
    if (tame) return std::uniform_real_distribution<double>(0.25, 2)(r);
    switch (r() % 24) {
      case 0: return -0.0;
      case 1: return HUGE_VAL;
      case 2: return std::nan("");
      default: return std::uniform_real_distribution<double>(-3, 3)(r);
    }
  };
  auto integer = [](std::mt19937_64& r) { return static_cast<int64_t>(r() % 9) - 4; };
  auto count = [](std::mt19937_64& r) { return r() % 9; };
  switch (type.dtype()) {
    case DType::kF32: Fill<float>(t, rng, real); break;
    case DType::kF64: Fill<double>(t, rng, real); break;
    case DType::kI8: Fill<int8_t>(t, rng, integer); break;
    case DType::kI16: Fill<int16_t>(t, rng, integer); break;
    case DType::kI32: Fill<int32_t>(t, rng, integer); break;
    case DType::kI64: Fill<int64_t>(t, rng, integer); break;
    case DType::kU8: Fill<uint8_t>(t, rng, count); break;
    case DType::kU16: Fill<uint16_t>(t, rng, count); break;
    case DType::kU32: Fill<uint32_t>(t, rng, count); break;
    case DType::kU64: Fill<uint64_t>(t, rng, count); break;
    case DType::kBool: Fill<uint8_t>(t, rng, [](std::mt19937_64& r) { return r() % 2; }); break;
    case DType::kF16: Fill<uint16_t>(t, rng, [](std::mt19937_64& r) { return 0x3000 + r() % 0x1400 + (r() % 2 << 15); }); break;
    case DType::kBF16: Fill<uint16_t>(t, rng, [](std::mt19937_64& r) { return 0x3e80 + r() % 0x200 + (r() % 2 << 15); }); break;
    default: return Unimplemented(StrCat("no random values of ", Name(type.dtype())));
  }
  return t;
}

std::string Text(const Tensor& t) { return std::regex_replace(PrintAttr(t), std::regex("nan\\(0x[0-9a-f]+\\)"), "nan"); }

// Within `tolerance` of the largest finite expected value.
template <typename T>
bool Near(const Tensor& expected, const Tensor& found, double tolerance) {
  double largest = 0;
  const T *e = expected.data<T>(), *f = found.data<T>();
  const int64_t n = expected.num_elements();
  for (int64_t i = 0; i < n; ++i)
    if (std::isfinite(e[i])) largest = std::max(largest, std::fabs(static_cast<double>(e[i])));
  for (int64_t i = 0; i < n; ++i) {
    if (std::isnan(e[i]) && std::isnan(f[i])) continue;
    if (std::isfinite(e[i]) && std::isfinite(f[i]) ? std::fabs(static_cast<double>(e[i]) - static_cast<double>(f[i])) > tolerance * largest
                                                   : e[i] != f[i])
      return false;
  }
  return true;
}

std::string TensorDifference(const Tensor& expected, const Tensor& found, double tolerance) {
  if (expected.dtype() != found.dtype() || expected.type().shape() != found.type().shape())
    return StrCat("expected ", ToString(expected.type()), ", found ", ToString(found.type()));
  if (expected == found) return {};
  if (tolerance > 0 && expected.dtype() == DType::kF32 && Near<float>(expected, found, tolerance)) return {};
  if (tolerance > 0 && expected.dtype() == DType::kF64 && Near<double>(expected, found, tolerance)) return {};
  const std::string e = Text(expected), f = Text(found);
  return e == f ? std::string() : StrCat("expected ", e, ", found ", f);
}

}  // namespace

Result<std::vector<Tensor>> RandomInputs(const Module& module, int round, bool tame) {
  std::mt19937_64 rng(static_cast<uint64_t>(round) + 1);
  std::map<std::string, int64_t, std::less<>> sizes;
  const int64_t choices[3] = {3, 1, 4};
  auto bind = [&](std::string_view s) -> std::optional<int64_t> {
    auto it = sizes.try_emplace(std::string(s), choices[(static_cast<size_t>(round) + sizes.size()) % 3]).first;
    return it->second;
  };
  std::vector<Tensor> inputs;
  for (const Node* n : module.entry().inputs()) {
    const ValueType& type = n->output()->type();
    if (type.IsOpaque()) return Unimplemented("an opaque input");
    Shape shape;
    for (const Dim& d : type.IsTensor() ? type.shape() : Shape{})
      shape.push_back(d.IsUnknown() ? Dim(2 + round) : Dim(d.Evaluate(bind).value_or(-1)));
    const ValueType concrete = ValueType::Tensor(type.dtype(), std::move(shape));
    GE_RETURN_IF_ERROR(CheckType(concrete));
    GE_ASSIGN_OR_RETURN(Tensor t, RandomTensor(concrete, tame, rng));
    if (type.IsSym() && type.dtype() == DType::kI64)
      if (auto v = type.expr().Evaluate(bind)) *t.mutable_data<int64_t>() = *v;
    inputs.push_back(std::move(t));
  }
  return inputs;
}

std::string ResultDifference(const EvalResult& expected, const EvalResult& found, std::span<const Tensor> inputs, double tolerance) {
  if (expected.outputs.size() != found.outputs.size())
    return StrCat("expected ", expected.outputs.size(), " results, found ", found.outputs.size());
  for (size_t i = 0; i < expected.outputs.size(); ++i)
    if (const std::string d = TensorDifference(expected.outputs[i], found.outputs[i], tolerance); !d.empty())
      return StrCat("result ", i, ": ", d);
  const auto left = [&](const EvalResult& r, size_t index) -> const Tensor& {
    auto it = r.written_inputs.find(static_cast<int>(index));
    return it == r.written_inputs.end() ? inputs[index] : it->second;
  };
  for (size_t i = 0; i < inputs.size(); ++i)
    if (const std::string d = TensorDifference(left(expected, i), left(found, i), tolerance); !d.empty())
      return StrCat("input ", i, " afterwards: ", d);
  return {};
}

}  // namespace ge
