// EmbeddingDenseGrad: the gradient of an embedding look-up.
#include "host_kernels/nn_util.h"

namespace ge {
namespace {

Result<Types> InferEmbeddingDenseGrad(const InferContext& c) {
  GE_RETURN_IF_ERROR(nn::RequireTensors(c));
  const ValueType& grad = c.input(0);
  const int64_t rows = c.Int("num_weights");
  if (grad.rank() < 1 || rows < 0)
    return InvalidArgument(StrCat("EmbeddingDenseGrad: grad is ", ToString(grad), " and num_weights ", rows));
  return Types{ValueType::Tensor(grad.dtype(), {Dim(rows), grad.shape().back()})};
}

}  // namespace

GE_DEFINE_OP(EmbeddingDenseGrad)
    .Doc("Sums the rows of grad into a table of num_weights rows, at their indices; the row padding_idx stays zero.")
    .Input("grad", kFloatTypes)
    .Input("indices", kIndexTypes)
    .Output("y", kFloatTypes)
    .Required("num_weights", AttrKind::kInt)
    .Int("padding_idx", -1)
    .Bool("scale_grad_by_freq", false)
    .Infer(InferEmbeddingDenseGrad)
    .Aten("aten::embedding_dense_backward(grad, indices, @num_weights, @padding_idx, @scale_grad_by_freq)");

}  // namespace ge
