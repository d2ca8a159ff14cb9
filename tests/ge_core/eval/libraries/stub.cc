// A host CPU library without kernels, as a build without the operator package has it: every node goes to the next level.
#include "ge_core/ir/host_cpu_library.h"

namespace {

ge::Status Run(const ge::Node&, std::span<const ge::Tensor* const>, std::vector<ge::Tensor>&) {
  return ge::Unimplemented("the stub has no kernels");
}
constexpr ge::HostCpuLibrary kLibrary{.run = &Run, .abi_version = ge::kHostCpuAbiVersion};

}  // namespace

extern "C" GE_API const ge::HostCpuLibrary* ge_host_cpu_library() { return &kLibrary; }
