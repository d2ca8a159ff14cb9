#pragma once
// The operators that the SIMD engine runs: one row each, tried by name. Their loops are plain C++ that the compiler turns into
// vector code for several CPUs at once (GE_SIMD_CLONES); the right one is chosen when the library is loaded.
#include <optional>

#include "ge_core/base/str.h"
#include "ge_core/ir/engine.h"

// AVX-512, AVX2 and what every x86-64 has, chosen by what the CPU can do: an architecture by a maker's name ("skylake-avx512")
// would be that CPU's alone. The reductions of these files are written with `#pragma omp simd`, which allows the
// compiler to keep partial sums; nothing else of IEEE arithmetic is given up.
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)
#define GE_SIMD_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define GE_SIMD_CLONES  // the sanitizer's runtime is not ready when the loader resolves clones
#endif

namespace ge::simd {

struct OpRow {
  std::string_view op;
  Support (*supports)(const Node&);
  Result<std::unique_ptr<Executable>> (*load)(const Node&);
};

extern const OpRow kLayerNormRow;
extern const OpRow kRmsNormRow;
extern const OpRow kAttentionRow;
extern const OpRow kFlashAttentionRow;
extern const OpRow kGemvRow;

// A static, non-empty tensor of `dtype` on the device, in any strides. Empty string: fine; else why not.
std::string CheckTensor(std::string_view what, const Value* value, DType dtype);
// The same, stored row by row without gaps.
std::string CheckRows(std::string_view what, const Value* value, DType dtype);

// Runs body(begin, end) over parts of [0, count), on up to `threads` threads if `work` (element operations in all) is worth it.
void ParallelFor(int threads, int64_t count, double work, const std::function<void(int64_t, int64_t)>& body);

// Memory of input or output i of a call; an error where the executor has not bound it.
Result<char*> Data(std::span<Slot* const> slots, int i);

}  // namespace ge::simd
