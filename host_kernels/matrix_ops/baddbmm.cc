// Baddbmm: beta * self + alpha * bmm(batch1, batch2). AscendIR has no such op; TorchAir expands it, which rounds differently.
#include "host_kernels/nn_util.h"

namespace ge {
namespace {

Result<Types> InferBaddbmm(const InferContext& c) {
  GE_RETURN_IF_ERROR(nn::RequireTensors(c));
  GE_RETURN_IF_ERROR(nn::RequireSameDType(c, {0, 1, 2}));
  GE_RETURN_IF_ERROR(nn::RequireRank(c, 1, 3));
  GE_RETURN_IF_ERROR(nn::RequireRank(c, 2, 3));
  const Shape &b1 = c.input(1).shape(), &b2 = c.input(2).shape();
  GE_RETURN_IF_ERROR(nn::RequireDim(c, "the batch of batch2", b2[0], b1[0]));
  GE_RETURN_IF_ERROR(nn::RequireDim(c, "the inner extent of batch2", b2[1], b1[2]));
  Shape y = {b1[0], b1[1], b2[2]};
  GE_ASSIGN_OR_RETURN(const Shape with_self, BroadcastShapes(y, c.input(0).shape(), c.op.name));
  if (with_self.size() != 3)
    return InvalidArgument(StrCat("Baddbmm: self is ", ToString(c.input(0)), ", which does not broadcast to the product"));
  for (size_t d = 0; d < 3; ++d) GE_RETURN_IF_ERROR(nn::RequireDim(c, "an extent of self, broadcast,", with_self[d], y[d]));
  return Types{ValueType::Tensor(c.input(1).dtype(), std::move(y))};
}

}  // namespace

GE_DEFINE_OP(Baddbmm)
    .Doc("beta * self + alpha * bmm(batch1, batch2), self broadcast to the product.")
    .Input("self", kNumericTypes)
    .Input("batch1", kNumericTypes)
    .Input("batch2", kNumericTypes)
    .Output("y", kNumericTypes)
    .Required("beta", AttrKind::kScalar)
    .Required("alpha", AttrKind::kScalar)
    .Infer(InferBaddbmm)
    .Aten("aten::baddbmm(self, batch1, batch2, @beta, @alpha)");

}  // namespace ge
