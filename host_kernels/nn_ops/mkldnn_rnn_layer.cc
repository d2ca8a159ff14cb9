// MkldnnRnnLayer: one direction of one LSTM layer, as nn.LSTM runs it on the CPU in inference.
#include "host_kernels/nn_util.h"

namespace ge {
namespace {

Result<Types> InferMkldnnRnnLayer(const InferContext& c) {
  GE_RETURN_IF_ERROR(nn::RequireTensors(c));
  GE_RETURN_IF_ERROR(nn::RequireSameDType(c, {0, 1, 2, 3, 4, 5, 6}));
  GE_RETURN_IF_ERROR(nn::RequireRank(c, 0, 3));
  if (c.Bool("batch_first") || c.Int("mode") != 2 || !c.Ints("batch_sizes").empty())
    return Unimplemented("MkldnnRnnLayer: only LSTM over padded, time-major input");
  const DType t = c.input(0).dtype();
  const Shape& x = c.input(0).shape();
  return Types{ValueType::Tensor(t, {x[0], x[1], Dim(c.Int("hidden_size"))}), ValueType::Tensor(t, c.input(5).shape()),
               ValueType::Tensor(t, c.input(6).shape())};
}

}  // namespace

GE_DEFINE_OP(MkldnnRnnLayer)
    .Doc(
        "One direction of one LSTM layer over (time, batch, features): the hidden state of each step, the last hidden and cell state. "
        "Named "
        "after ATen's op: AscendIR's DynamicRNN packs its weights otherwise. The workspace of ATen's call, for its gradient, is not kept.")
    .Input("x", TypesOf(DType::kF32, DType::kBF16))
    .Input("w_ih", TypesOf(DType::kF32, DType::kBF16))
    .Input("w_hh", TypesOf(DType::kF32, DType::kBF16))
    .Input("b_ih", TypesOf(DType::kF32, DType::kBF16))
    .Input("b_hh", TypesOf(DType::kF32, DType::kBF16))
    .Input("init_h", TypesOf(DType::kF32, DType::kBF16))
    .Input("init_c", TypesOf(DType::kF32, DType::kBF16))
    .Output("y")
    .Output("output_h")
    .Output("output_c")
    .Required("reverse", AttrKind::kBool)
    .Optional("batch_sizes", AttrKind::kInts)
    .Required("mode", AttrKind::kInt)
    .Required("hidden_size", AttrKind::kInt)
    .Required("num_layers", AttrKind::kInt)
    .Required("has_biases", AttrKind::kBool)
    .Required("bidirectional", AttrKind::kBool)
    .Required("batch_first", AttrKind::kBool)
    .Required("train", AttrKind::kBool)
    .Infer(InferMkldnnRnnLayer)
    .Aten(
        "aten::mkldnn_rnn_layer(x, w_ih, w_hh, b_ih, b_hh, init_h, init_c, @reverse, @batch_sizes, @mode, @hidden_size, @num_layers, "
        "@has_biases, "
        "@bidirectional, @batch_first, @train) -> y, output_h, output_c, _");

}  // namespace ge
