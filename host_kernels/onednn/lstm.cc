// MkldnnRnnLayer: one direction of one LSTM layer over time-major input, weights packed once. The two biases are added first.
#include "host_kernels/onednn/kernels.h"

namespace ge::onednn {
namespace {

constexpr WeightView kGates{.groups = 0, .gates = true};
enum Operand { kX, kWeightIn, kWeightHidden, kBiasIn, kBiasHidden, kHidden, kCell, kNumOperands };

Support Refuse(std::string why) { return Support::No("MkldnnRnnLayer: " + std::move(why)); }

Support CheckTypes(const Product& p) {
  const Node& node = p.node();
  for (int i = 0; i < kNumOperands; ++i) {
    if (!p.has(i)) return Refuse(StrCat("operand ", i, " is absent"));
    if (std::string why = CheckOperand(node, i, i == kWeightIn || i == kWeightHidden); !why.empty()) return Refuse(why);
    if (node.input(i)->type().dtype() != DType::kF32) return Refuse("only f32");
    if (i >= kBiasIn && node.input(i)->type().Strides() != node.input(i)->type().ContiguousStrides())
      return Refuse(StrCat("operand ", i, " is strided"));
  }
  for (int i = 0; i < 3; ++i) {
    if (std::string why = CheckType(StrCat("output ", i), node.output(i)->type(), false); !why.empty()) return Refuse(why);
    if (node.output(i)->type().Strides() != node.output(i)->type().ContiguousStrides()) return Refuse(StrCat("output ", i, " is strided"));
  }
  if (node.Bool("train")) return Refuse("training keeps a workspace that only ATen's gradient reads");
  const Shape& x = node.input(kX)->type().shape();
  if (x.size() != 3) return Refuse("x is not (time, batch, features)");
  const int64_t hidden = node.Int("hidden_size"), batch = x[1].value();
  for (int i : {kWeightIn, kWeightHidden}) {
    const ValueType& w = node.input(i)->type();
    if (w.rank() != 2 || !w.shape()[0].Is(4 * hidden) || !w.shape()[1].Is(i == kWeightIn ? x[2].value() : hidden))
      return Refuse(StrCat("a weight is ", ToString(w)));
    if (w.layout.kind == StorageLayout::Kind::kPacked) {
      if (auto packed = ParsePacked(w); packed.ok() && packed->view != kGates) return Refuse("a weight is packed for another operator");
    }
  }
  for (int i : {kBiasIn, kBiasHidden})
    if (node.input(i)->type().StaticNumElements() != 4 * hidden) return Refuse("a bias is not one number a gate and unit");
  for (int i : {kHidden, kCell})
    if (node.input(i)->type().StaticNumElements() != batch * hidden) return Refuse("an initial state is not one row a sample");
  return Support::Yes();
}

// Weights as they lie where packed, else as the library likes them.
Result<dnnl::lstm_forward::primitive_desc> Describe(const Product& p) {
  const Node& node = p.node();
  const Shape& shape = node.input(kX)->type().shape();
  const int64_t time = shape[0].value(), batch = shape[1].value(), hidden = node.Int("hidden_size");
  const DType t = DType::kF32;
  const auto weight = [&](int i) -> Result<Desc> {
    const ValueType& w = node.input(i)->type();
    if (w.layout.kind != StorageLayout::Kind::kPacked) return AnyDesc(ViewDims(w, kGates), t);
    GE_ASSIGN_OR_RETURN(const PackedDesc packed, ParsePacked(w));
    return packed.desc;
  };
  GE_ASSIGN_OR_RETURN(const Desc in, weight(kWeightIn));
  GE_ASSIGN_OR_RETURN(const Desc recurrent, weight(kWeightHidden));
  const Desc state = PlainDesc({1, 1, batch, hidden}, {batch * hidden, batch * hidden, hidden, 1}, t);
  const Desc bias = PlainDesc({1, 1, 4, hidden}, {4 * hidden, 4 * hidden, hidden, 1}, t);
  const Desc y = PlainDesc({time, batch, hidden}, {batch * hidden, hidden, 1}, t);
  dnnl::primitive_attr attr;
  attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  const auto direction =
      node.Bool("reverse") ? dnnl::rnn_direction::unidirectional_right2left : dnnl::rnn_direction::unidirectional_left2right;
  dnnl::lstm_forward::primitive_desc pd(
      {dnnl::prop_kind::forward_inference, direction, DescOf(node.input(kX)->type()), state, state, in, recurrent, bias, y, state, state},
      attr, CpuEngine());
  GE_RETURN_IF_ERROR(CheckImplementation(pd));
  return pd;
}

Support Supports(const Product& p) {
  Support types = CheckTypes(p);
  if (!types.ok) return types;
  auto pd = Guard("an LSTM layer", [&] { return Describe(p); });
  return pd.ok() ? Support::Yes() : Refuse(pd.message());
}

std::vector<LayoutPreference> Preferences(const Product& p) {
  std::vector<LayoutPreference> wishes;
  auto pd = Guard("an LSTM layer", [&] { return Describe(p); });
  if (!pd.ok()) return {};
  for (int i : {kWeightIn, kWeightHidden}) {
    if (p.input(i).layout.kind == StorageLayout::Kind::kPacked) continue;
    if (auto name = PackedName(i == kWeightIn ? pd->weights_layer_desc() : pd->weights_iter_desc(), kGates))
      wishes.push_back({LayoutPreference::Side::kInput, i, StorageLayout::Packed(*std::move(name))});
  }
  return wishes;
}

Result<std::unique_ptr<Executable>> Load(const Product& p) {
  const Node& node = p.node();
  GE_ASSIGN_OR_RETURN(const auto pd, Describe(p));
  auto program = std::make_unique<Program>();
  const auto weight = [&](int i, const Desc& want) -> Result<int> {
    const ValueType& w = node.input(i)->type();
    Desc have;
    if (w.layout.kind == StorageLayout::Kind::kPacked) {
      GE_ASSIGN_OR_RETURN(const PackedDesc packed, ParsePacked(w));
      have = packed.desc;
    } else {
      have = ViewDesc(w, kGates);
    }
    const int buffer = program->AddOperand(Program::Source::kInput, i, have);
    if (have == want) return buffer;
    const int copy = program->AddWorkspace(want);
    program->AddReorder(buffer, copy);
    return copy;
  };
  GE_ASSIGN_OR_RETURN(const int in, weight(kWeightIn, pd.weights_layer_desc()));
  GE_ASSIGN_OR_RETURN(const int recurrent, weight(kWeightHidden, pd.weights_iter_desc()));
  const auto input = [&](int i, const Desc& desc) { return program->AddOperand(Program::Source::kInput, i, desc); };
  const auto output = [&](int i, const Desc& desc) { return program->AddOperand(Program::Source::kOutput, i, desc); };
  const int bias = program->AddWorkspace(pd.bias_desc());
  dnnl::primitive_attr attr;
  attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  const dnnl::sum::primitive_desc sum(pd.bias_desc(), {1.0F, 1.0F}, {pd.bias_desc(), pd.bias_desc()}, CpuEngine(), attr);
  program->AddStep(dnnl::sum(sum),
                   {{DNNL_ARG_MULTIPLE_SRC, input(kBiasIn, pd.bias_desc())},
                    {DNNL_ARG_MULTIPLE_SRC + 1, input(kBiasHidden, pd.bias_desc())},
                    {DNNL_ARG_DST, bias}},
                   sum.scratchpad_desc());
  program->AddStep(dnnl::lstm_forward(pd),
                   {{DNNL_ARG_SRC_LAYER, input(kX, pd.src_layer_desc())},
                    {DNNL_ARG_SRC_ITER, input(kHidden, pd.src_iter_desc())},
                    {DNNL_ARG_SRC_ITER_C, input(kCell, pd.src_iter_c_desc())},
                    {DNNL_ARG_WEIGHTS_LAYER, in},
                    {DNNL_ARG_WEIGHTS_ITER, recurrent},
                    {DNNL_ARG_BIAS, bias},
                    {DNNL_ARG_DST_LAYER, output(0, pd.dst_layer_desc())},
                    {DNNL_ARG_DST_ITER, output(1, pd.dst_iter_desc())},
                    {DNNL_ARG_DST_ITER_C, output(2, pd.dst_iter_c_desc())}},
                   pd.scratchpad_desc());
  return std::unique_ptr<Executable>(std::move(program));
}

}  // namespace

const OpRow kLstmRow{"MkldnnRnnLayer", Supports, Preferences, Load, false};

}  // namespace ge::onednn
