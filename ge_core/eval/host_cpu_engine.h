#pragma once
// HostCpuEngine: runs one node on the host at compile time. Level 1 is libconstant_folding_ops.so (every ATen op through
// PyTorch's dispatcher), opened at first use and bitwise what eager PyTorch gives; level 2 is the table of built-in
// host kernels. A missing library is a smaller system, not a broken one: the reason is kept for the report.
#include <map>
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
  struct Limits {
    // Results of one node, together. A node that declares more is refused before anything is computed or allocated.
    int64_t max_result_bytes = int64_t{4} << 30;
  };
  // What one level did for one operator type: the runs that it answered, with a value or with the operator's own
  // failure. A run that it passed on for want of a kernel is not counted.
  struct Statistic {
    int64_t calls = 0;
    double seconds = 0;
  };
  using Statistics = std::map<std::string, Statistic, std::less<>>;  // by operator type

  // `kernels` is borrowed and may be null. An empty `library_path` leaves level 1 out; else the file is opened at the
  // first Run ("libconstant_folding_ops.so" lets the loader search).
  explicit HostCpuEngine(const KernelFactory* kernels, std::string library_path = {});
  // Level 1 given directly: the process already holds the table.
  HostCpuEngine(const KernelFactory* kernels, const HostCpuLibrary* library);

  // Set before the engine is shared.
  void set_limits(const Limits& limits) { limits_ = limits; }

  // Runs one node, on the first level that has a kernel. Where the node's own result types are open, the shapes follow
  // from `inputs`. Thread-safe. Fails with Unimplemented if no level has a kernel for it, and with FailedPrecondition if
  // the results are too large or memory runs out. What a level throws becomes a failure too.
  Result<Evaluation> Run(const Node& node, std::span<const Tensor* const> inputs) const;
  // The same on one level only.
  Result<std::vector<Tensor>> RunHostCpuKernel(const Node& node, std::span<const Tensor* const> inputs) const;  // level 1
  Result<std::vector<Tensor>> RunBuiltInKernel(const Node& node, std::span<const Tensor* const> inputs) const;  // level 2

  // A copy of what `level` has done since the engine was made. Thread-safe.
  Statistics statistics(Level level) const;

  // True if level 1 is usable (opens the library).
  bool has_library() const;
  // Why level 1 is not usable; empty if it is.
  std::string library_reason() const;
  const KernelFactory* kernels() const { return kernels_; }

 private:
  const HostCpuLibrary* library() const;
  Result<std::vector<Tensor>> Timed(Level level, const Node& node, std::span<const Tensor* const> inputs) const;
  const KernelFactory* kernels_;
  std::string path_;
  mutable std::once_flag opened_;
  mutable const HostCpuLibrary* library_ = nullptr;
  mutable std::string reason_;
  Limits limits_;
  mutable std::mutex statistics_mutex_;
  mutable Statistics statistics_[2];  // by level - 1
};

}  // namespace ge
