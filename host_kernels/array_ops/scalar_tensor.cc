#include "host_kernels/array_ops/factory.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) {
  const Attr value = ctx.attr("value");
  if (!DTypeOfScalar(value)) return InvalidArgument(StrCat("ScalarTensor: value must be a number, found ", ToString(value)));
  return Types{ValueType::Tensor(DTypeOr(ctx, value.Is<std::complex<double>>() ? DType::kC64 : DType::kF32), {})};
}

struct ScalarTensorKernel {
  static Status Compute(const HostKernelContext& ctx) { return FillWith(ctx.node.attr("value"), ctx.outputs[0], "ScalarTensor"); }
};

}  // namespace

// TorchAir writes a Const here. A node of its own keeps the importer free of arithmetic; folding makes the Const.
// Unlike full, scalar_tensor gives the default dtype to integers too.
GE_DEFINE_OP(ScalarTensor)
    .Doc("A tensor without axes that holds value.")
    .Output("y")
    .Required("value", AttrKind::kScalar)
    .Optional("dtype", AttrKind::kType)
    .Infer(Infer)
    .GE_FACTORY_ROWS("aten::scalar_tensor(@value, @dtype, ", ")");
REGISTER_COMPUTE_NODE_KERNEL(ScalarTensor, ScalarTensorKernel);

}  // namespace ge
