// The table of CastRemovePass against the reference kernel: wherever a step may be left out, both ways give the same
// numbers, for every value of the types of up to 16 bits and for corner values of the wider ones.
#include "ge_core/passes/cleanup/cast_remove_pass.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "ge_core/eval/evaluate.h"
#include "host_kernels/ops.h"
#include "tests/ge_core/passes/test_graphs.h"

namespace ge {
namespace {
using namespace ge::testing;

// What Cast reads; the other types appear as targets only, and as such are no step between two casts.
constexpr DType kTypes[] = {DType::kBool, DType::kI8,   DType::kI16, DType::kI32, DType::kI64, DType::kU8,
                            DType::kF16,  DType::kBF16, DType::kF32, DType::kF64, DType::kC64, DType::kC128};

// Every bit pattern of a narrow type; of a wide one those around powers of two, and random ones.
Tensor Values(DType type) {
  const size_t size = SizeOf(type);
  std::vector<uint64_t> patterns;
  if (type == DType::kBool) {
    patterns = {0, 1};
  } else if (size <= 2) {
    for (uint64_t i = 0; i < (uint64_t{1} << (8 * size)); ++i) patterns.push_back(i);
  } else {
    std::mt19937_64 rng(1);
    for (int shift = 0; shift < 64; ++shift)
      for (int64_t d = -2; d <= 2; ++d)
        for (uint64_t sign : {0, 1}) patterns.push_back(((uint64_t{1} << shift) + static_cast<uint64_t>(d)) ^ (sign ? ~uint64_t{0} : 0));
    for (int i = 0; i < 2000; ++i) patterns.push_back(rng());
    if (IsFloating(type))  // integers and halves near them, where rounding and truncation change
      for (int i = -1200; i < 1200; ++i) {
        const double v = i < 0 ? -std::ldexp(1.0 + (i & 3) * 0x1p-9, -i / 8 - 75) : std::ldexp(1.0 + (i & 3) * 0x1p-9, i / 8 - 75);
        const float f = static_cast<float>(v);
        uint64_t bits = 0;
        type == DType::kF64 ? std::memcpy(&bits, &v, 8) : std::memcpy(&bits, &f, 4);
        patterns.push_back(bits);
      }
  }
  if (IsComplex(type)) {  // one component random, the other too
    const size_t half = size / 2;
    Tensor t(ValueType::Tensor(type, {static_cast<int64_t>(patterns.size())}));
    for (size_t i = 0; i < patterns.size(); ++i) {
      std::memcpy(t.mutable_data<std::byte>() + i * size, &patterns[i], half);
      std::memcpy(t.mutable_data<std::byte>() + i * size + half, &patterns[patterns.size() - 1 - i], half);
    }
    return t;
  }
  Tensor t(ValueType::Tensor(type, {static_cast<int64_t>(patterns.size())}));
  for (size_t i = 0; i < patterns.size(); ++i) std::memcpy(t.mutable_data<std::byte>() + i * size, &patterns[i], size);
  return t;
}

// `x` cast along `path`.
Result<Tensor> CastAlong(const Tensor& x, std::initializer_list<DType> path) {
  Module module(HostOps());
  Builder b(module);
  Value* v = b.In(x.type());
  for (DType to : path) v = b.Op("Cast", {v}, {{"dst_type", to}});
  b.Return({v});
  static const HostCpuEngine engine(&HostKernels());
  GE_ASSIGN_OR_RETURN(const EvalResult r, Evaluate(module, std::vector<Tensor>{x}, engine));
  return r.outputs[0];
}

template <typename Bits>
bool IsNan(const std::byte* element, Bits infinity) {
  Bits bits;
  std::memcpy(&bits, element, sizeof(Bits));
  return (bits & static_cast<Bits>(~(Bits{1} << (8 * sizeof(Bits) - 1)))) > infinity;
}

// Bit for bit, except that one NaN is as good as another.
bool Same(const Tensor& a, const Tensor& b) {
  if (a.type() != b.type()) return false;
  const DType real = a.dtype() == DType::kC64 ? DType::kF32 : a.dtype() == DType::kC128 ? DType::kF64 : a.dtype();
  const size_t size = SizeOf(real);
  const auto nan = [&](const std::byte* p) {
    switch (real) {
      case DType::kF16: return IsNan<uint16_t>(p, 0x7c00);
      case DType::kBF16: return IsNan<uint16_t>(p, 0x7f80);
      case DType::kF32: return IsNan<uint32_t>(p, 0x7f800000);
      case DType::kF64: return IsNan<uint64_t>(p, 0x7ff0000000000000);
      default: return false;
    }
  };
  for (size_t i = 0; i < a.bytes().size(); i += size) {
    const std::byte *p = a.bytes().data() + i, *q = b.bytes().data() + i;
    if (std::memcmp(p, q, size) != 0 && !(nan(p) && nan(q))) return false;
  }
  return true;
}

TEST(CastRemove, ALeftOutStepChangesNoValue) {
  int checked = 0;
  for (DType from : kTypes) {
    const Tensor x = Values(from);
    for (DType to : kTypes) {
      if (IsComplex(from) && !IsComplex(to)) continue;
      const auto direct = from == to ? CastAlong(x, {}) : CastAlong(x, {to});
      if (!direct.ok()) continue;  // no reference kernel
      for (DType through : kTypes) {
        if (!SameWithoutStep(from, through, to)) continue;
        const auto stepped = CastAlong(x, {through, to});
        if (!stepped.ok()) continue;
        ++checked;
        EXPECT_TRUE(Same(*direct, *stepped)) << "from " << Name(from) << " through " << Name(through) << " to " << Name(to);
      }
    }
  }
  EXPECT_GT(checked, 250);
}

TEST(CastRemove, ALosslessCastComesBack) {
  for (DType from : kTypes)
    for (DType through : kTypes) {
      if (!LosslessCast(from, through) || IsComplex(from) != IsComplex(through)) continue;
      const Tensor x = Values(from);
      const auto before = CastAlong(x, {}), after = CastAlong(x, {through, from});
      ASSERT_TRUE(before.ok() && after.ok()) << Name(from) << " " << Name(through);
      EXPECT_TRUE(Same(*before, *after)) << "from " << Name(from) << " through " << Name(through);
    }
}

TEST(CastRemove, WhatIsNotInTheTable) {
  EXPECT_FALSE(LosslessCast(DType::kI32, DType::kF32));
  EXPECT_FALSE(LosslessCast(DType::kU8, DType::kI8));
  EXPECT_FALSE(LosslessCast(DType::kF16, DType::kBF16));
  EXPECT_FALSE(LosslessCast(DType::kBF16, DType::kF16));
  EXPECT_FALSE(LosslessCast(DType::kC64, DType::kF64));
  EXPECT_FALSE(LosslessCast(DType::kF8E4M3FN, DType::kF32));
  EXPECT_FALSE(LosslessCast(DType::kI64, DType::kC128));
  EXPECT_FALSE(SameWithoutStep(DType::kF32, DType::kF64, DType::kI32));
  EXPECT_FALSE(SameWithoutStep(DType::kF64, DType::kF32, DType::kF16));
  EXPECT_FALSE(SameWithoutStep(DType::kI32, DType::kF64, DType::kBF16));
}

}  // namespace
}  // namespace ge
