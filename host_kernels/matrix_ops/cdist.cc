// Cdist: distances between two sets of vectors.
#include "host_kernels/nn_util.h"

namespace ge {
namespace {

Result<Types> InferCdist(const InferContext& c) {
  GE_RETURN_IF_ERROR(nn::RequireTensors(c));
  GE_RETURN_IF_ERROR(nn::RequireSameDType(c, {0, 1}));
  const Shape &x1 = c.input(0).shape(), &x2 = c.input(1).shape();
  if (x1.size() < 2 || x2.size() < 2) return InvalidArgument("Cdist: both operands need at least two axes");
  GE_RETURN_IF_ERROR(nn::RequireDim(c, "the length of the vectors of x2", x2.back(), x1.back()));
  GE_ASSIGN_OR_RETURN(Shape y, BroadcastShapes(Shape(x1.begin(), x1.end() - 2), Shape(x2.begin(), x2.end() - 2), c.op.name));
  y.push_back(x1[x1.size() - 2]);
  y.push_back(x2[x2.size() - 2]);
  return Types{ValueType::Tensor(c.input(0).dtype(), std::move(y))};
}

}  // namespace

GE_DEFINE_OP(Cdist)
    .Doc("The p-norm of x1[i] - x2[j] for each pair of rows; leading axes broadcast.")
    .Input("x1", TypesOf(DType::kF32, DType::kF64))
    .Input("x2", TypesOf(DType::kF32, DType::kF64))
    .Output("y", TypesOf(DType::kF32, DType::kF64))
    .Float("p", 2)
    .Optional("compute_mode", AttrKind::kInt)
    .Infer(InferCdist)
    .Aten("aten::_cdist_forward(x1, x2, @p, @compute_mode)");

}  // namespace ge
