#pragma once
// HostCpuEngine: runs one node on the host at compile time. Level 1 is libconstant_folding_ops.so (every ATen op through
// PyTorch's dispatcher), opened at first use and bitwise what eager PyTorch gives; level 2 is the table of built-in
// host kernels. A missing library is a smaller system, not a broken one: the reason is kept for the report.
#include <mutex>
#include <string>

#include "ge_core/ir/host_cpu_library.h"
#include "ge_core/ir/host_kernel.h"

namespace ge {

class GE_API HostCpuEngine {
 public:
  enum class Level { kLibrary = 1, kKernels = 2 };
  struct Evaluation {
    std::vector<Tensor> outputs;  // one per output of the node, types checked against the node's
    Level level = Level::kKernels;
  };

  // `kernels` is borrowed and may be null. An empty `library_path` leaves level 1 out; else the file is opened at the
  // first Run ("libconstant_folding_ops.so" lets the loader search).
  explicit HostCpuEngine(const KernelFactory* kernels, std::string library_path = {});
  // Level 1 given directly: the process already holds the table.
  HostCpuEngine(const KernelFactory* kernels, const HostCpuLibrary* library);

  // Runs one node. Where the node's own result types are open, the shapes follow from `inputs`. Thread-safe. Fails with Unimplemented if no
  // level has a kernel for it.
  Result<Evaluation> Run(const Node& node, std::span<const Tensor* const> inputs) const;

  // True if level 1 is usable (opens the library).
  bool has_library() const;
  // Why level 1 is not usable; empty if it is.
  std::string library_reason() const;
  const KernelFactory* kernels() const { return kernels_; }

 private:
  const HostCpuLibrary* library() const;
  const KernelFactory* kernels_;
  std::string path_;
  mutable std::once_flag opened_;
  mutable const HostCpuLibrary* library_ = nullptr;
  mutable std::string reason_;
};

}  // namespace ge
