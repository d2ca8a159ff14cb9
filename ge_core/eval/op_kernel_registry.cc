#include "ge_core/eval/op_kernel_registry.h"

namespace ge {

bool OpKernelRegistry::Has(HostCpuEngine::Level level, const OpDef& op) const {
  if (op.Has(kSkeleton) || op.Has(kControlFlow)) return false;
  if (level == HostCpuEngine::Level::kLibrary) return (op.num_aten > 0 || op.name == "AtenCall") && engine_->has_library();
  const HostKernel* kernel = engine_->kernels() ? engine_->kernels()->Find(op.name) : nullptr;
  return kernel && (kernel->compute || kernel->compute_from_node);
}

std::vector<HostCpuEngine::Level> OpKernelRegistry::Levels(const OpDef& op) const {
  std::vector<HostCpuEngine::Level> levels;
  for (auto level : {HostCpuEngine::Level::kLibrary, HostCpuEngine::Level::kKernels})
    if (Has(level, op)) levels.push_back(level);
  return levels;
}

}  // namespace ge
