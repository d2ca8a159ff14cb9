#pragma once
// The built-in host kernels as an engine: the reference implementation of every operator that has one, without libtorch.
// Slow and exact; the last engine of the Python-free runtime, and what tests compare others with.
#include "ge_core/ir/engine.h"
#include "ge_core/ir/host_kernel.h"

namespace ge {

class GE_API HostKernelEngine final : public Engine {
 public:
  // `kernels` outlives the engine.
  explicit HostKernelEngine(const KernelFactory& kernels) : kernels_(kernels) {}
  std::string_view name() const override { return "host_kernels"; }
  // Static tensor types, plain layouts, and a kernel that computes from inputs or from the node's types.
  Support Supports(const Node& node) const override;
  Result<std::unique_ptr<Executable>> Load(const Node& node) const override;

 private:
  const KernelFactory& kernels_;
};

}  // namespace ge
