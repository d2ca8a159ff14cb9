#include "host_kernels/ops.h"

namespace ge {

#define GE_OP(Name) extern const OpDef ge_op_##Name;
#define GE_OP_WITH_KERNEL(Name)    \
  extern const OpDef ge_op_##Name; \
  extern const HostKernel ge_kernel_##Name;
#include "host_kernels/ops.def"
#undef GE_OP
#undef GE_OP_WITH_KERNEL

const OpTable& HostOps() {
  static const OpTable table({
#define GE_OP(Name) &ge_op_##Name,
#define GE_OP_WITH_KERNEL(Name) &ge_op_##Name,
#include "host_kernels/ops.def"
#undef GE_OP
#undef GE_OP_WITH_KERNEL
  });
  return table;
}

const KernelFactory& HostKernels() {
  static const KernelFactory table({
#define GE_OP(Name)
#define GE_OP_WITH_KERNEL(Name) &ge_kernel_##Name,
#include "host_kernels/ops.def"
#undef GE_OP
#undef GE_OP_WITH_KERNEL
  });
  return table;
}

}  // namespace ge
