// Conv2D and Conv3D over one to three spatial axes (channels first; groups, dilation, bias; direct algorithm). oneDNN computes on blocked
// activations: where its choice differs from the strides of x or y, a reorder stands before or after, in the workspace.
#include "host_kernels/onednn/kernels.h"

namespace ge::onednn {
namespace {

bool HasBias(const Node& node) { return node.num_inputs() > 2 && node.input(2); }

// A list attribute with one number a spatial axis; one number stands for all. Empty: malformed.
Dims SpatialInts(const Node& node, std::string_view name) {
  Dims v = node.Ints(name);
  const size_t n = static_cast<size_t>(node.input(0)->type().rank() - 2);
  if (v.size() == 1) v.resize(n, v[0]);
  return v.size() == n ? v : Dims{};
}

// What types, attributes and layouts say; the library has the last word (Supports below).
Support CheckTypes(const Node& node) {
  for (int i = 0; i < (HasBias(node) ? 3 : 2); ++i) {
    if (std::string why = CheckOperand(node, i, i == 1); !why.empty()) return Support::No("convolution: " + why);
  }
  const ValueType &x = node.input(0)->type(), &w = node.input(1)->type(), &y = node.output()->type();
  if (std::string why = CheckType("output", y, false); !why.empty()) return Support::No("convolution: " + why);
  if (x.rank() < 3 || x.rank() > 5 || w.rank() != x.rank() || y.rank() != x.rank())
    return Support::No("convolution: expected x, filter and y of one rank, 3 to 5");
  if (!node.Str("data_format").starts_with("NC"))
    return Support::No("convolution: data_format '" + node.Str("data_format") + "'; only channels first is supported");
  const int64_t groups = node.Int("groups");
  if (groups < 1 || w.shape()[0].value() % groups != 0 || x.shape()[1].value() != w.shape()[1].value() * groups) {
    return Support::No(StrCat("convolution: groups ", groups, " do not fit x ", ToString(x), " and filter ", ToString(w)));
  }
  for (std::string_view name : {"strides", "pads", "dilations"}) {
    if (SpatialInts(node, name).empty()) return Support::No(StrCat("convolution: ", name, " must have one number, or one a spatial axis"));
  }
  if (w.layout.kind == StorageLayout::Kind::kPacked) {
    auto packed = ParsePacked(w);
    if (packed.ok() && packed->groups != (groups > 1 ? groups : 0))
      return Support::No("convolution: the filter is packed for another number of groups");
  }
  if (HasBias(node)) {
    const ValueType& b = node.input(2)->type();
    if (b.rank() != 1 || !(b.shape()[0] == w.shape()[0]) || b.Strides()[0].value() != 1)
      return Support::No("convolution: bias must be a dense vector of the output channels");
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
  const Dims stride = SpatialInts(node, "strides"), pad = SpatialInts(node, "pads");
  Dims dilation = SpatialInts(node, "dilations");
  for (int64_t& d : dilation) --d;  // oneDNN counts the gap
  const Desc src = AnyDesc(StaticDims(node.input(0)->type())), dst = AnyDesc(StaticDims(node.output()->type()));
  dnnl::primitive_attr attr;
  attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  const auto kind = dnnl::prop_kind::forward_inference;
  const auto algorithm = dnnl::algorithm::convolution_direct;
  if (HasBias(node)) {
    const Desc bias = PlainDesc({node.output()->type().shape()[1].value()}, {1});
    return {{kind, algorithm, src, weight, bias, dst, stride, dilation, pad, pad}, attr, CpuEngine()};
  }
  return {{kind, algorithm, src, weight, dst, stride, dilation, pad, pad}, attr, CpuEngine()};
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
  return pd.ok() ? Support::Yes() : Support::No("convolution: " + pd.message());
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
const OpRow kConv3DRow{"Conv3D", Supports, Preferences, Load};

}  // namespace ge::onednn
