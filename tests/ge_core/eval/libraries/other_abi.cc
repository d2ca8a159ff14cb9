// A host CPU library of another interface version: its table must not be used.
#include <cstdlib>

#include "ge_core/ir/host_cpu_library.h"

namespace {

ge::Status Run(const ge::Node&, std::span<const ge::Tensor* const>, std::vector<ge::Tensor>&) { std::abort(); }
constexpr ge::HostCpuLibrary kLibrary{.run = &Run, .abi_version = ge::kHostCpuAbiVersion + 1};

}  // namespace

extern "C" GE_API const ge::HostCpuLibrary* ge_host_cpu_library() { return &kLibrary; }
