// EmbeddingBag: sums, means or maxima of bags of embedding rows.
#include "host_kernels/nn_util.h"

namespace ge {
namespace {

// The shapes of the secondary outputs follow torch/_meta_registrations.py where the CPU kernel agrees; elsewhere Unimplemented.
Result<Types> InferEmbeddingBag(const InferContext& c) {
  GE_RETURN_IF_ERROR(nn::RequireTensors(c));
  const ValueType &weight = c.input(0), &indices = c.input(1), &offsets = c.input(2);
  if (weight.rank() != 2 || indices.rank() != 1 || offsets.rank() != 1)
    return InvalidArgument(StrCat("EmbeddingBag: operands ", ToString(weight), ", ", ToString(indices), ", ", ToString(offsets),
                                  ": expected a table and two vectors"));
  if (c.Bool("include_last_offset")) return Unimplemented("EmbeddingBag: include_last_offset");
  GE_RETURN_IF_ERROR(nn::RequireSameDType(c, {0, 3}));
  GE_RETURN_IF_ERROR(nn::RequireVector(c, 3, indices.shape()[0]));
  const std::string mode = c.Str("mode");
  if (mode != "sum" && mode != "mean" && mode != "max")
    return InvalidArgument(StrCat("EmbeddingBag: mode is '", mode, "', expected sum, mean or max"));
  if (c.has_input(3) && mode != "sum") return InvalidArgument("EmbeddingBag: per_sample_weights goes with mode sum only");
  const Dim &bags = offsets.shape()[0], &columns = weight.shape()[1];
  // A sum without padding index over dense float32 or float16 rows takes ATen's fast path, which needs no offset2bag.
  bool fast = false;
  if (mode == "sum" && c.Int("padding_idx") < 0) {
    if (weight.dtype() == DType::kBF16)
      return Unimplemented("EmbeddingBag: FakeTensor and the CPU kernel disagree on the results in bfloat16");
    for (int i : {0, 3})
      if (c.has_input(i) && c.input(i).layout.kind == StorageLayout::Kind::kStrided && !c.input(i).Strides().back().Is(1))
        return Unimplemented("EmbeddingBag: rows that are not dense");
    fast = weight.dtype() != DType::kF64;
  }
  return Types{ValueType::Tensor(weight.dtype(), {bags, columns}), ValueType::Tensor(DType::kI64, {fast ? Dim(0) : indices.shape()[0]}),
               ValueType::Tensor(DType::kI64, {bags}), ValueType::Tensor(DType::kI64, mode == "max" ? Shape{bags, columns} : Shape{bags})};
}

}  // namespace

GE_DEFINE_OP(EmbeddingBag)
    .Doc(
        "For each bag, which begins at an offset into indices, the sum, mean or max of the rows of weight. The further outputs are what "
        "ATen "
        "saves for the gradient. forward_only is the variant of the call without it.")
    .Input("weight", kFloatTypes)
    .Input("indices", kI64Type)
    .Input("offsets", kI64Type)
    .OptionalInput("per_sample_weights", kFloatTypes)
    .Output("y", kFloatTypes)
    .Output("offset2bag", kI64Type)
    .Output("bag_size", kI64Type)
    .Output("max_indices", kI64Type)
    .String("mode", "mean")
    .Bool("scale_grad_by_freq", false)
    .Bool("sparse", false)
    .Bool("include_last_offset", false)
    .Int("padding_idx", -1)
    .Bool("forward_only", false)
    .Infer(InferEmbeddingBag)
    .Aten(
        "aten::_embedding_bag(weight, indices, offsets, @scale_grad_by_freq, 0, @sparse, per_sample_weights, @include_last_offset, "
        "@padding_idx) "
        "if mode=\"sum\", forward_only=false")
    .Aten(
        "aten::_embedding_bag(weight, indices, offsets, @scale_grad_by_freq, 1, @sparse, per_sample_weights, @include_last_offset, "
        "@padding_idx) "
        "if mode=\"mean\", forward_only=false")
    .Aten(
        "aten::_embedding_bag(weight, indices, offsets, @scale_grad_by_freq, 2, @sparse, per_sample_weights, @include_last_offset, "
        "@padding_idx) "
        "if mode=\"max\", forward_only=false")
    .Aten(
        "aten::_embedding_bag_forward_only(weight, indices, offsets, @scale_grad_by_freq, 0, @sparse, per_sample_weights, "
        "@include_last_offset, "
        "@padding_idx) if mode=\"sum\", forward_only=true")
    .Aten(
        "aten::_embedding_bag_forward_only(weight, indices, offsets, @scale_grad_by_freq, 1, @sparse, per_sample_weights, "
        "@include_last_offset, "
        "@padding_idx) if mode=\"mean\", forward_only=true")
    .Aten(
        "aten::_embedding_bag_forward_only(weight, indices, offsets, @scale_grad_by_freq, 2, @sparse, per_sample_weights, "
        "@include_last_offset, "
        "@padding_idx) if mode=\"max\", forward_only=true");

}  // namespace ge
