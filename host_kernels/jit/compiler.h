#pragma once
// Compiles regions to machine code with LLVM ORC, one function a structure (Region::Key).
#include "host_kernels/jit/region.h"

namespace ge::jit {

// pointers: inputs, then outputs, each at its first element of the row; n: elements of the row.
using RowFunction = void (*)(void* const* pointers, int64_t n);

// Machine code of one structure; freed with the last owner.
struct CompiledRegion {
  virtual ~CompiledRegion() = default;
  RowFunction run = nullptr;
};

// The process-wide compiler. Thread-safe. Fails where the CPU or LLVM cannot be used.
class Compiler {
 public:
  static Result<Compiler*> Get();
  virtual ~Compiler() = default;
  // From the cache, or compiled now.
  virtual Result<std::shared_ptr<const CompiledRegion>> Compile(const Region& region) = 0;
  // Structures compiled so far in this process (cache misses).
  virtual int64_t num_compiled() const = 0;
};

}  // namespace ge::jit
