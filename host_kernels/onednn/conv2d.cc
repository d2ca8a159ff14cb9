// Conv2D (NCHW, groups, dilation, bias; direct algorithm). oneDNN computes on blocked activations: where its choice
// differs from the strides of x or y, a reorder stands before or after, in the workspace.
#include "host_kernels/onednn/kernels.h"

namespace ge::onednn {
namespace {

bool HasBias(const Node& node) { return node.num_inputs() > 2 && node.input(2); }

// What types, attributes and layouts say; the library has the last word (Supports below).
Support CheckTypes(const Node& node) {
  for (int i = 0; i < (HasBias(node) ? 3 : 2); ++i) {
    if (std::string why = CheckOperand(node, i, i == 1); !why.empty()) return Support::No("Conv2D: " + why);
  }
  if (node.num_inputs() > 3 && node.input(3)) return Support::No("Conv2D: offset_w is not supported");
  if (node.Str("data_format") != "NCHW") return Support::No("Conv2D: data_format '" + node.Str("data_format") + "'; only NCHW is supported");
  const ValueType &x = node.input(0)->type(), &w = node.input(1)->type(), &y = node.output()->type();
  if (std::string why = CheckType("output", y, false); !why.empty()) return Support::No("Conv2D: " + why);
  if (x.rank() != 4 || w.rank() != 4 || y.rank() != 4) return Support::No("Conv2D: expected x, filter and y of rank 4");
  const int64_t groups = node.Int("groups");
  if (groups < 1 || w.shape()[0].value() % groups != 0 || x.shape()[1].value() != w.shape()[1].value() * groups) {
    return Support::No(StrCat("Conv2D: groups ", groups, " do not fit x ", ToString(x), " and filter ", ToString(w)));
  }
  const auto strides = node.Ints("strides"), pads = node.Ints("pads"), dilations = node.Ints("dilations");
  if (strides.size() != 4 || pads.size() != 4 || dilations.size() != 4) return Support::No("Conv2D: strides, pads and dilations must have 4 entries");
  if (w.layout.kind == StorageLayout::Kind::kPacked) {
    auto packed = ParsePacked(w);
    if (packed.ok() && packed->groups != (groups > 1 ? groups : 0)) return Support::No("Conv2D: the filter is packed for another number of groups");
  }
  if (HasBias(node)) {
    const ValueType& b = node.input(2)->type();
    if (b.rank() != 1 || !(b.shape()[0] == w.shape()[0]) || b.Strides()[0].value() != 1) return Support::No("Conv2D: bias must be a dense vector of the output channels");
  }
  return Support::Yes();
}

// The filter as it lies in memory, groups split off.
Result<Desc> WeightDesc(const ValueType& w, int64_t groups) {
  if (w.layout.kind == StorageLayout::Kind::kPacked) {
    GE_ASSIGN_OR_RETURN(const PackedDesc packed, ParsePacked(w));
    return packed.desc;
  }
  Dims dims = StaticDims(w), strides = StaticStrides(w);
  if (groups > 1) {
    strides.insert(strides.begin(), strides[0] * (dims[0] / groups));
    dims = SplitGroups(dims, groups);
  }
  return PlainDesc(dims, strides);
}

dnnl::convolution_forward::primitive_desc Describe(const Node& node, const Desc& weight) {
  const auto strides = node.Ints("strides"), pads = node.Ints("pads"), dilations = node.Ints("dilations");
  const Dims stride{strides[2], strides[3]}, dilation{dilations[2] - 1, dilations[3] - 1};
  const Dims before{pads[0], pads[2]}, after{pads[1], pads[3]};
  const Desc src = AnyDesc(StaticDims(node.input(0)->type())), dst = AnyDesc(StaticDims(node.output()->type()));
  dnnl::primitive_attr attr;
  attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  const auto kind = dnnl::prop_kind::forward_inference;
  const auto algorithm = dnnl::algorithm::convolution_direct;
  if (HasBias(node)) {
    const Desc bias = PlainDesc({node.output()->type().shape()[1].value()}, {1});
    return {{kind, algorithm, src, weight, bias, dst, stride, dilation, before, after}, attr, CpuEngine()};
  }
  return {{kind, algorithm, src, weight, dst, stride, dilation, before, after}, attr, CpuEngine()};
}

Desc FreeWeight(const Node& node) {
  const int64_t groups = node.Int("groups");
  const Dims dims = StaticDims(node.input(1)->type());
  return AnyDesc(groups > 1 ? SplitGroups(dims, groups) : dims);
}

// Packed weights bind the primitive to them; plain ones are reordered at each run into what is fastest.
Result<dnnl::convolution_forward::primitive_desc> Choose(const Node& node) {
  const ValueType& w = node.input(1)->type();
  if (w.layout.kind != StorageLayout::Kind::kPacked) return Describe(node, FreeWeight(node));
  GE_ASSIGN_OR_RETURN(const PackedDesc packed, ParsePacked(w));
  return Describe(node, packed.desc);
}

Support Supports(const Node& node) {
  Support types = CheckTypes(node);
  if (!types.ok) return types;
  auto pd = Guard("a convolution", [&] { return Choose(node); });
  return pd.ok() ? Support::Yes() : Support::No("Conv2D: " + pd.message());
}

std::vector<LayoutPreference> Preferences(const Node& node) {
  if (node.input(1)->type().layout.kind == StorageLayout::Kind::kPacked) return {};
  auto name = Guard("a convolution", [&]() -> Result<std::optional<std::string>> {
    const int64_t groups = node.Int("groups");
    return PackedName(Describe(node, FreeWeight(node)).weights_desc(), groups > 1 ? groups : 0);
  });
  if (!name.ok() || !*name) return {};
  return {{1, StorageLayout::Packed(**name)}};
}

Result<std::unique_ptr<Executable>> Load(const Node& node) {
  GE_ASSIGN_OR_RETURN(const Desc given, WeightDesc(node.input(1)->type(), node.Int("groups")));
  GE_ASSIGN_OR_RETURN(const dnnl::convolution_forward::primitive_desc pd, Choose(node));
  auto program = std::make_unique<Program>();
  const auto read = [&](int input, const Desc& have, const Desc& want) {
    const int operand = program->AddOperand(Program::Source::kInput, input, have);
    if (have == want) return operand;
    const int copy = program->AddWorkspace(want);
    program->AddReorder(operand, copy);
    return copy;
  };
  const ValueType &x = node.input(0)->type(), &y = node.output()->type();
  std::vector<std::pair<int, int>> args = {{DNNL_ARG_SRC, read(0, PlainDesc(StaticDims(x), StaticStrides(x)), pd.src_desc())},
                                           {DNNL_ARG_WEIGHTS, read(1, given, pd.weights_desc())}};
  if (HasBias(node)) args.emplace_back(DNNL_ARG_BIAS, program->AddOperand(Program::Source::kInput, 2, pd.bias_desc()));
  const Desc out = PlainDesc(StaticDims(y), StaticStrides(y));
  const int result = program->AddOperand(Program::Source::kOutput, 0, out);
  const int dst = out == pd.dst_desc() ? result : program->AddWorkspace(pd.dst_desc());
  args.emplace_back(DNNL_ARG_DST, dst);
  program->AddStep(dnnl::convolution_forward(pd), std::move(args), pd.scratchpad_desc());
  if (dst != result) program->AddReorder(dst, result);
  return std::unique_ptr<Executable>(std::move(program));
}

}  // namespace

const OpRow kConv2DRow{"Conv2D", Supports, Preferences, Load};

}  // namespace ge::onednn
