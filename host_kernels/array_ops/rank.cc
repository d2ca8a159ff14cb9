#include "host_kernels/shape_util.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) {
  if (!ctx.input(0).IsTensor()) return InvalidArgument("Rank: operand 0 is no tensor");
  return Types{ValueType::Tensor(DType::kI32, {})};
}

struct RankKernel {
  static Status ComputeFromNode(const Node& node, std::span<Tensor> outputs) {
    const int64_t rank = node.input(0)->type().rank();
    StoreInts(outputs[0], {&rank, 1});
    return {};
  }
};

}  // namespace

GE_DEFINE_OP(Rank).Doc("The number of axes of x as an i32 scalar.").Input("x").Output("y", kIndexTypes).Traits(kValueFromType).Infer(Infer);
REGISTER_COMPUTE_NODE_KERNEL(Rank, RankKernel);

}  // namespace ge
