#pragma once
// FoldReport: what constant folding did. Plain data.
#include <map>
#include <string>
#include <string_view>

#include "ge_core/base/api.h"

namespace ge {

struct GE_API FoldReport {
  struct PerKernel {
    int64_t count = 0;
    double seconds = 0;
  };
  // Level (1: libconstant_folding_ops, 2: built-in host kernels) and operator -> nodes folded and time.
  std::map<std::pair<int, std::string>, PerKernel> kernels;
  // "graph/node" -> why the kernel gave no value: it raised, or there is none. The node stays.
  std::map<std::string, std::string, std::less<>> failures;

  int64_t num_folded() const {
    int64_t n = 0;
    for (const auto& [key, k] : kernels) n += k.count;
    return n;
  }
};

}  // namespace ge
