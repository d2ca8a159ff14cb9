#pragma once
// The operators and kernels that this build knows, as immutable tables. Composition roots pass them on by reference.
#include "ge_core/ir/host_kernel.h"

namespace ge {

GE_API const OpTable& HostOps();
GE_API const KernelFactory& HostKernels();

}  // namespace ge
