#include "ge_core/ir/host_kernel.h"

#include <algorithm>

namespace ge {

KernelFactory::KernelFactory(std::vector<const HostKernel*> kernels) : kernels_(std::move(kernels)) {
  std::sort(kernels_.begin(), kernels_.end(), [](auto* a, auto* b) { return a->op < b->op; });
  for (size_t i = 1; i < kernels_.size(); ++i) GE_CHECK(kernels_[i - 1]->op != kernels_[i]->op, "host kernel registered twice");
}

const HostKernel* KernelFactory::Find(std::string_view op) const {
  auto it = std::lower_bound(kernels_.begin(), kernels_.end(), op, [](auto* k, std::string_view n) { return k->op < n; });
  return it != kernels_.end() && (*it)->op == op ? *it : nullptr;
}

}  // namespace ge
