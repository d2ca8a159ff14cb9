#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

namespace {

Result<Types> Infer(const InferContext& ctx) {
  GE_ASSIGN_OR_RETURN(const DType common, CommonDType(ctx, 1, 2));
  GE_ASSIGN_OR_RETURN(Shape shape, BroadcastInputs(ctx, 0, 2));
  return Types{ValueType::Tensor(common, std::move(shape))};
}

}  // namespace

GE_DEFINE_OP(SelectV2)
    .Doc("then where the condition holds, else the other; an absent one is the attribute `scalar`")
    .Input("condition", kBoolType)
    .OptionalInput("then", kAll)
    .OptionalInput("else", kAll)
    .Output("result", kAll)
    .Optional("scalar", AttrKind::kScalar)
    .Traits(kElementwise)
    .Infer(Infer)
    .Aten("aten::where.self(condition, then, else)")
    .Aten("aten::where.self(condition, then, @scalar)")
    .Aten("aten::where.self(condition, @scalar, else)")
    .Aten("aten::where.ScalarOther(condition, then, @scalar)")
    .Aten("aten::where.ScalarSelf(condition, @scalar, else)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    const ValueType& y = c.outputs[0].type();
    return DispatchAll(c, y.dtype(), [&]<typename C>(Tag<C>) {
      Map(
          c.outputs[0], [](bool take, C a, C b) { return take ? a : b; }, Load<bool>(*In(c, 0), y), LoadOrScalar<C>(c, 1, y.dtype()),
          LoadOrScalar<C>(c, 2, y.dtype()));
    });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(SelectV2, Kernel);

}  // namespace ge
