#pragma once
// FoldOptions: the limits of constant folding, and what a user keeps out of it.
#include <cstdint>
#include <string>
#include <vector>

namespace ge {

struct FoldOptions {
  // A result larger than both this and its operands together stays a computation: folding must not inflate a model
  // (seed 003 section 4). Bytes; ge.fold.maxBytes.
  int64_t max_growth_bytes = int64_t{1} << 20;
  // Results of nodes without operands (a filled tensor, a range) are cheap to make and dear to store. Bytes;
  // ge.fold.maxGeneratedBytes.
  int64_t max_generated_bytes = int64_t{64} << 10;
  // ge.exec.memoryOptimizationPolicy = MemoryPriority: a large constant with several readers is not folded, because
  // folding would copy it (seed 000 section 4.3.1).
  bool memory_priority = false;
  // A larger constant is split along axis 0; 0: none is. Bytes; ge.const.maxBytes.
  int64_t max_const_bytes = 0;
  // Names of nodes to leave alone, with '*' and '?'; ge.fold.keep.
  std::vector<std::string> keep;
};

}  // namespace ge
