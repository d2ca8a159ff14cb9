#pragma once
// The C boundary of libconstant_folding_ops.so: what HostCpuEngine opens and host_kernels/aten implements.
#include "ge_core/ir/graph.h"

namespace ge {

// The function table that libconstant_folding_ops.so exports through the C symbol ge_host_cpu_library().
struct HostCpuLibrary {
  // Runs `node` on contiguous host constants (null where an optional input is absent) and appends one contiguous
  // tensor per output. Unimplemented: the library has no kernel for this node, ask the next level. Any other failure is
  // the answer: the operator itself raises on these values. Must not throw.
  Status (*run)(const Node& node, std::span<const Tensor* const> inputs, std::vector<Tensor>& outputs) = nullptr;
  int abi_version = 1;  // kHostCpuAbiVersion of the build that made the library
};
inline constexpr int kHostCpuAbiVersion = 1;
inline constexpr const char* kHostCpuSymbol = "ge_host_cpu_library";
using HostCpuLibraryFn = const HostCpuLibrary* (*)();

}  // namespace ge
