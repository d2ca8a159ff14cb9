// EmbeddingBagDenseGrad: the gradient of EmbeddingBag with respect to its table.
#include "host_kernels/nn_util.h"

namespace ge {
namespace {

Result<Types> InferEmbeddingBagDenseGrad(const InferContext& c) {
  GE_RETURN_IF_ERROR(nn::RequireTensors(c));
  GE_RETURN_IF_ERROR(nn::RequireSameDType(c, {0, 5}));
  GE_RETURN_IF_ERROR(nn::RequireRank(c, 0, 2));
  const int64_t rows = c.Int("num_weights");
  if (rows < 0) return InvalidArgument(StrCat("EmbeddingBagDenseGrad: num_weights is ", rows));
  return Types{ValueType::Tensor(c.input(0).dtype(), {Dim(rows), c.input(0).shape()[1]})};
}

}  // namespace

GE_DEFINE_OP(EmbeddingBagDenseGrad)
    .Doc("Gradient of EmbeddingBag as a table of num_weights rows. mode is ATen's number: 0 sum, 1 mean, 2 max.")
    .Input("grad", kFloatTypes)
    .Input("indices", kI64Type)
    .Input("offset2bag", kI64Type)
    .Input("bag_size", kI64Type)
    .Input("max_indices", kI64Type)
    .OptionalInput("per_sample_weights", kFloatTypes)
    .Output("y", kFloatTypes)
    .Required("num_weights", AttrKind::kInt)
    .Required("mode", AttrKind::kInt)
    .Bool("scale_grad_by_freq", false)
    .Int("padding_idx", -1)
    .Infer(InferEmbeddingBagDenseGrad)
    .Aten(
        "aten::_embedding_bag_dense_backward(grad, indices, offset2bag, bag_size, max_indices, @num_weights, @scale_grad_by_freq, @mode, "
        "per_sample_weights, @padding_idx)");

}  // namespace ge
