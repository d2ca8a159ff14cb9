// A kernel builder in a library of its own, as libge_local_opskernel_builder.so is.
#include "ge_core/engine/ops_kernel_builder.h"

GE_ENGINE_PLUGIN_ABI();

namespace {

struct Builder final : ge::OpsKernelBuilder {
  ge::Result<ge::OpRunningParam> CalcOpRunningParam(const ge::Graph&, const ge::Node&) const override { return ge::OpRunningParam{}; }
  ge::Status GenerateTask(ge::Graph&, ge::Node&, ge::TaskContext&) const override { return {}; }
};

}  // namespace

REGISTER_OPS_KERNEL_BUILDER("TEST_LONELY_OP_STORE", Builder);
