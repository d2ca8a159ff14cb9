// MatMulV2 of one row: y = x W^T + b, f32 or bf16 with sums in f32. The weight is read once, row after row, as PyTorch stores it
// (one row an output): the machine's read bandwidth is the limit, and packing would only keep the weight twice.
#include <bit>
#include <cstring>

#include "host_kernels/simd/kernels.h"

namespace ge::simd {
namespace {

using Floats = float __attribute__((vector_size(64), aligned(4)));
using Words = uint16_t __attribute__((vector_size(32), aligned(2)));
using WideWords = uint32_t __attribute__((vector_size(64)));

constexpr int64_t kLanes = 16;
// Independent sums of a row: the latency of an addition is hidden by that many.
constexpr int64_t kSums = 4;

// Vectors are passed by address: the ABI for vectors by value differs between the clones.
#define GE_INLINE inline __attribute__((always_inline))

GE_INLINE float Widen(float v) { return v; }
GE_INLINE float Widen(uint16_t v) { return std::bit_cast<float>(static_cast<uint32_t>(v) << 16); }
GE_INLINE void LoadVector(const float* from, Floats* to) { *to = *reinterpret_cast<const Floats*>(from); }
GE_INLINE void LoadVector(const uint16_t* from, Floats* to) {
  *to = reinterpret_cast<Floats>(__builtin_convertvector(*reinterpret_cast<const Words*>(from), WideWords) << 16);
}
GE_INLINE void Store(float v, float* to) { *to = v; }
GE_INLINE void Store(float v, uint16_t* to) {
  const uint32_t bits = std::bit_cast<uint32_t>(v);
  *to = static_cast<uint16_t>((v != v ? bits | 0x400000U : bits + 0x7fffU + ((bits >> 16) & 1U)) >> 16);  // to nearest, ties to even
}

struct Problem {
  int64_t depth = 0, columns = 0;
  int64_t weight_step = 0;  // elements from one row of the weight to the next
  bool half = false;        // bf16, not f32
  bool has_bias = false;
};

// Columns [begin, end) of y. x is f32 already.
template <typename T>
GE_INLINE void Columns(const Problem& p, const float* x, const T* weight, const T* bias, T* y, int64_t begin, int64_t end) {
  constexpr int64_t kStep = kLanes * kSums;
  const int64_t whole = p.depth / kStep * kStep;
  for (int64_t n = begin; n < end; ++n) {
    const T* row = weight + n * p.weight_step;
    Floats sums[kSums] = {};
    for (int64_t k = 0; k < whole; k += kStep) {
      for (int64_t j = 0; j < kSums; ++j) {
        Floats w, v;
        LoadVector(row + k + j * kLanes, &w);
        LoadVector(x + k + j * kLanes, &v);
        sums[j] += w * v;
      }
    }
    const Floats lanes = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    float rest = 0;
    for (int64_t k = whole; k < p.depth; ++k) rest += x[k] * Widen(row[k]);
    float pairs[kLanes];
    std::memcpy(pairs, &lanes, sizeof pairs);
    for (int64_t width = kLanes / 2; width > 0; width /= 2)
      for (int64_t i = 0; i < width; ++i) pairs[i] += pairs[i + width];
    const float sum = pairs[0] + rest;
    Store(p.has_bias ? sum + Widen(bias[n]) : sum, y + n);
  }
}

GE_SIMD_CLONES void ColumnsF32(const Problem& p, const float* x, const float* weight, const float* bias, float* y, int64_t begin,
                               int64_t end) {
  Columns(p, x, weight, bias, y, begin, end);
}
GE_SIMD_CLONES void ColumnsBF16(const Problem& p, const float* x, const uint16_t* weight, const uint16_t* bias, uint16_t* y, int64_t begin,
                                int64_t end) {
  Columns(p, x, weight, bias, y, begin, end);
}

class Gemv : public Executable {
 public:
  explicit Gemv(const Problem& problem) : p_(problem) {}
  int64_t workspace_bytes() const override { return p_.half ? p_.depth * 4 : 0; }

  Status Run(KernelContext& context) const override {
    GE_ASSIGN_OR_RETURN(const char* const x, Data(context.inputs, 0));
    GE_ASSIGN_OR_RETURN(const char* const weight, Data(context.inputs, 1));
    const char* bias = nullptr;
    if (p_.has_bias) { GE_ASSIGN_OR_RETURN(bias, Data(context.inputs, 2)); }
    GE_ASSIGN_OR_RETURN(char* const y, Data(context.outputs, 0));
    const float* row = reinterpret_cast<const float*>(x);
    if (p_.half) {
      float* wide = reinterpret_cast<float*>(context.workspace);
      for (int64_t k = 0; k < p_.depth; ++k) wide[k] = Widen(reinterpret_cast<const uint16_t*>(x)[k]);
      row = wide;
    }
    ParallelFor(context.num_threads, p_.columns, static_cast<double>(p_.depth * p_.columns), [&](int64_t begin, int64_t end) {
      if (p_.half)
        ColumnsBF16(p_, row, reinterpret_cast<const uint16_t*>(weight), reinterpret_cast<const uint16_t*>(bias),
                    reinterpret_cast<uint16_t*>(y), begin, end);
      else
        ColumnsF32(p_, row, reinterpret_cast<const float*>(weight), reinterpret_cast<const float*>(bias), reinterpret_cast<float*>(y),
                   begin, end);
    });
    return {};
  }

 private:
  Problem p_;
};

// Empty: at most one axis of several elements, stored without gaps.
std::string CheckRow(std::string_view what, const Value* value, DType dtype) {
  if (std::string why = CheckTensor(what, value, dtype); !why.empty()) return why;
  const ValueType& t = value->type();
  const std::vector<Dim> strides = t.Strides();
  const Dim* step = nullptr;
  for (size_t i = 0; i < strides.size(); ++i) {
    if (t.shape()[i].Is(1)) continue;
    if (step) return StrCat(what, " has several rows: ", ToString(t));
    step = &strides[i];
  }
  return !step || step->Is(1) ? std::string() : StrCat(what, " has gaps: ", ToString(t));
}

Result<Problem> Read(const Node& node) {
  Problem p;
  const Value *x = node.input(0), *weight = node.input(1), *y = node.output();
  if (!x || !weight) return Unimplemented("an operand is absent");
  const DType dtype = x->type().dtype();
  if (dtype != DType::kF32 && dtype != DType::kBF16) return Unimplemented(StrCat("no kernel for ", Name(dtype)));
  p.half = dtype == DType::kBF16;
  if (std::string why = CheckRow("x1", x, dtype); !why.empty()) return Unimplemented(why);
  if (std::string why = CheckRow("the output", y, dtype); !why.empty()) return Unimplemented(why);
  if (std::string why = CheckTensor("x2", weight, dtype); !why.empty()) return Unimplemented(why);
  const ValueType& w = weight->type();
  if (w.rank() != 2) return Unimplemented(StrCat("x2 is no matrix: ", ToString(w)));
  const size_t depth = node.Bool("transpose_x2") ? 1 : 0;
  p.depth = w.shape()[depth].value();
  p.columns = w.shape()[1 - depth].value();
  // One row of x and of y, of the weight's extents.
  if (x->type().StaticNumElements() != p.depth || y->type().StaticNumElements() != p.columns)
    return Unimplemented(StrCat("x1 has several rows: ", ToString(x->type())));
  const std::vector<Dim> strides = w.Strides();
  if (p.depth > 1 && !strides[depth].Is(1)) return Unimplemented(StrCat("the weight of one output does not lie in one row: ", ToString(w)));
  p.weight_step = strides[1 - depth].value();
  if (node.num_inputs() > 2 && node.input(2)) {
    if (std::string why = CheckRow("bias", node.input(2), dtype); !why.empty()) return Unimplemented(why);
    if (node.input(2)->type().StaticNumElements() != p.columns) return Unimplemented("bias must have an element a column");
    p.has_bias = true;
  }
  return p;
}

Support Supports(const Node& node) {
  auto p = Read(node);
  return p.ok() ? Support::Yes() : Support::No(StrCat(node.op().name, ": ", p.message()));
}

Result<std::unique_ptr<Executable>> Load(const Node& node) {
  GE_ASSIGN_OR_RETURN(const Problem p, Read(node));
  return std::unique_ptr<Executable>(std::make_unique<Gemv>(p));
}

}  // namespace

const OpRow kGemvRow{"MatMulV2", Supports, Load};

}  // namespace ge::simd
