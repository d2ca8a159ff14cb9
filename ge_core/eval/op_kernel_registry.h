#pragma once
// OpKernelRegistry: which level of the host engine has a kernel for an operator, without running anything.
#include "ge_core/eval/host_cpu_engine.h"

namespace ge {

class GE_API OpKernelRegistry {
 public:
  // `engine` is borrowed.
  explicit OpKernelRegistry(const HostCpuEngine& engine) : engine_(&engine) {}

  // True if `level` has a kernel for this operator type. Level 1 has one for whatever has an ATen form, if its library
  // can be opened (this opens it). A node may still be refused for its dtypes or attributes when it runs.
  bool Has(HostCpuEngine::Level level, const OpDef& op) const;
  // The levels that have a kernel, in the order in which they are asked.
  std::vector<HostCpuEngine::Level> Levels(const OpDef& op) const;

 private:
  const HostCpuEngine* engine_;
};

}  // namespace ge
