#include "host_kernels/shape_util.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) {
  const ValueType& x = ctx.input(0);
  if (x.rank() == 0) return InvalidArgument("Unpack: a scalar has no axis to unpack");
  GE_ASSIGN_OR_RETURN(const int64_t axis, NormalizeAxis(ctx.Int("axis"), x.rank(), "Unpack"));
  const Dim& extent = x.shape()[static_cast<size_t>(axis)];
  if (!extent.IsConst())
    return Unimplemented(StrCat("Unpack: the number of results is the extent ", extent.ToString(), ", which is not constant"));
  if (ctx.Int("num") != 0 && ctx.Int("num") != extent.value())
    return InvalidArgument(StrCat("Unpack: attribute num is ", ctx.Int("num"), " but the extent of axis ", axis, " is ", extent.value()));
  Shape shape = x.shape();
  shape.erase(shape.begin() + axis);
  return Types(static_cast<size_t>(extent.value()), ValueType::Tensor(x.dtype(), shape));
}

struct UnpackKernel {
  static Status Compute(const HostKernelContext& ctx) {
    const std::vector<int64_t> in = Extents(ctx.inputs[0]->type());
    std::vector<int64_t> strides = RowStrides(in);
    GE_ASSIGN_OR_RETURN(const int64_t axis, NormalizeAxis(ctx.node.Int("axis"), static_cast<int64_t>(in.size()), "Unpack"));
    const int64_t step = strides[static_cast<size_t>(axis)];
    strides.erase(strides.begin() + axis);
    for (size_t k = 0; k < ctx.outputs.size(); ++k) {
      Tensor& out = ctx.outputs[k];
      CopyFromStrided(out.mutable_data<void>(), ctx.inputs[0]->data<void>(), SizeOf(out.dtype()), Extents(out.type()), strides,
                      static_cast<int64_t>(k) * step);
    }
    return {};
  }
};

}  // namespace

GE_DEFINE_OP(Unpack)
    .Doc("x cut into its positions along an axis, the axis dropped; num, where given, is their count. Views.")
    .Input("x")
    .VariadicOutput("y")
    .Int("num", 0)
    .Int("axis", 0)
    .Traits(kView)
    .Infer(Infer)
    .Aten("aten::unbind.int(x, @axis)");
REGISTER_COMPUTE_NODE_KERNEL(Unpack, UnpackKernel);

}  // namespace ge
