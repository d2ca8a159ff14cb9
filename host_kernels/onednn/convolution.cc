// Conv2D, Conv3D and their transposed forms over one to three spatial axes (groups, dilation, bias, epilogue). Activations in
// channels-last order are read and written as they lie; in any other the library chooses, and a reorder stands before or
// after, in the workspace.
#include "host_kernels/onednn/kernels.h"
#include "host_kernels/onednn/product.h"
#include "host_kernels/onednn/winograd.h"

namespace ge::onednn {
namespace {

bool Transposed(const Product& p) { return p.anchor().Is("Conv2DTranspose") || p.anchor().Is("Conv3DTranspose"); }
bool HasBias(const Product& p) { return p.has(2); }

// A list attribute with one number a spatial axis; one number stands for all. Empty: malformed.
Dims SpatialInts(const Product& p, std::string_view name) {
  Dims v = p.anchor().Ints(name);
  const size_t n = static_cast<size_t>(p.input(0).rank() - 2);
  if (v.size() == 1) v.resize(n, v[0]);
  return v.size() == n ? v : Dims{};
}

// The filter's type as the direct convolution reads it: the one inside a filter packed for Winograd's algorithm lies as PyTorch
// stores it.
ValueType FilterType(const Product& p) {
  ValueType type = p.input(1);
  if (PackedForWinograd(type)) type.layout = {};
  return type;
}

// Parts that the sums are computed in (kMaxChain). A part is a convolution of its own over the same memory: channels-last
// x[H][W][C] is x[H][2 W][C / 2] for two parts, of which part i reads every second column, from column i on.
int64_t Chunks(const Product& p) {
  if (Transposed(p) || p.anchor().Int("groups") != 1 || !IsChannelsLast(p.input(0)) || !IsChannelsLast(p.output())) return 1;
  if (p.input(0).dtype() != DType::kF32) return 1;
  const Dims w = StaticDims(p.input(1)), pad = SpatialInts(p, "pads");
  int64_t chain = 1;
  for (size_t i = 1; i < w.size(); ++i) chain *= w[i];
  // Without padding in front, later parts would need a negative one.
  if (pad.empty() || pad.back() < 1) return 1;
  // Two parts cost a few per cent of time; where the image is small, half of it.
  constexpr int64_t kMinPositions = 100;
  int64_t positions = 1;
  for (size_t i = 2; i < p.output().shape().size(); ++i) positions *= p.output().shape()[i].value();
  return chain > kMaxChain && positions >= kMinPositions && w[1] % 32 == 0 ? 2 : 1;
}

WeightView ViewOf(const Product& p) {
  const int64_t groups = p.anchor().Int("groups"), chunks = Chunks(p);
  return {.groups = groups > 1 ? groups : 0, .chunks = chunks > 1 ? chunks : 0};
}

Support Refuse(std::string why) { return Support::No("convolution: " + std::move(why)); }

// What types, attributes and layouts say; the library has the last word (Supports below).
Support CheckTypes(const Product& p) {
  const Node& node = p.node();
  if (!p.has(0) || !p.has(1)) return Refuse("x or the filter is absent");
  for (int i = 0; i < node.num_inputs(); ++i) {
    if (!node.input(i)) continue;
    if (std::string why = CheckOperand(node, i, i == p.slot(1)); !why.empty()) return Refuse(why);
  }
  const ValueType &x = p.input(0), &w = p.input(1), &y = p.output();
  if (std::string why = CheckType("output", y, false); !why.empty()) return Refuse(why);
  if (x.dtype() != w.dtype() || x.dtype() != y.dtype()) return Refuse("operands of several dtypes");
  if (x.rank() < 3 || x.rank() > 5 || w.rank() != x.rank() || y.rank() != x.rank())
    return Refuse("expected x, filter and y of one rank, 3 to 5");
  if (!p.anchor().Str("data_format").starts_with("NC"))
    return Refuse("data_format '" + p.anchor().Str("data_format") + "'; only channels first is supported");
  const int64_t groups = p.anchor().Int("groups");
  const int64_t in_channels = w.shape()[Transposed(p) ? 0 : 1].value() * (Transposed(p) ? 1 : groups);
  if (groups < 1 || w.shape()[0].value() % groups != 0 || x.shape()[1].value() != in_channels)
    return Refuse(StrCat("groups ", groups, " do not fit x ", ToString(x), " and filter ", ToString(w)));
  for (std::string_view name : {"strides", "pads", "dilations"}) {
    if (SpatialInts(p, name).empty()) return Refuse(StrCat(name, " must have one number, or one a spatial axis"));
  }
  if (Transposed(p) && SpatialInts(p, "output_padding").empty()) return Refuse("output_padding must have one number a spatial axis");
  if (UsesWinograd(p)) {
    if (std::string why = WhyNoWinograd(p); !why.empty()) return Refuse("Winograd's algorithm: " + why);
  } else if (w.layout.kind == StorageLayout::Kind::kPacked) {
    auto packed = ParsePacked(w);
    if (packed.ok() && packed->view != ViewOf(p)) return Refuse("the filter is packed for another number of groups");
  }
  if (HasBias(p)) {
    const ValueType& b = p.input(2);
    if (b.dtype() != x.dtype() || b.rank() != 1 || !(b.shape()[0] == y.shape()[1]) || (b.Strides()[0].value() != 1 && !b.shape()[0].Is(1)))
      return Refuse("bias must be a dense vector of the output channels");
  }
  return Support::Yes();
}

// The library counts a transposed filter as [out, in, ...] (per group); PyTorch stores [in, out / groups, ...].
Desc AsOutIn(const Desc& w, int64_t groups) {
  std::vector<int> axes(static_cast<size_t>(w.dims().size()));
  for (size_t i = 0; i < axes.size(); ++i) axes[i] = static_cast<int>(i);
  const size_t first = groups > 1 ? 1 : 0;
  std::swap(axes[first], axes[first + 1]);
  return w.permute_axes(axes);
}

// The filter as it lies in memory, groups split off, axes in the library's order.
Result<Desc> WeightDesc(const Product& p) {
  const ValueType w = FilterType(p);
  const int64_t groups = p.anchor().Int("groups");
  Desc desc;
  if (w.layout.kind == StorageLayout::Kind::kPacked) {
    GE_ASSIGN_OR_RETURN(const PackedDesc packed, ParsePacked(w));
    desc = packed.desc;
  } else {
    desc = ViewDesc(w, ViewOf(p));
  }
  return Transposed(p) ? AsOutIn(desc, groups) : desc;
}

// The filter of one part.
Result<Desc> PartWeight(const Product& p) {
  GE_ASSIGN_OR_RETURN(const Desc all, WeightDesc(p));
  return Chunks(p) == 1 ? all : PartOf(all);
}

// Any layout of the filter, axes in the library's order.
Desc FreeWeight(const Product& p) {
  const int64_t groups = p.anchor().Int("groups");
  Dims dims = ViewDims(p.input(1), ViewOf(p));
  if (Chunks(p) > 1) dims.erase(dims.begin());  // of one part
  if (Transposed(p)) std::swap(dims[groups > 1 ? 1 : 0], dims[groups > 1 ? 2 : 1]);
  return AnyDesc(dims, p.input(1).dtype());
}

// A second operand of an epilogue, with the rank of y.
Result<Desc> OperandDesc(const Product& p, const ValueType& type) {
  const size_t rank = p.output().shape().size();
  if (type.dtype() != p.output().dtype()) return Unimplemented("an epilogue's operand has another dtype");
  if (type.shape() == p.output().shape()) return DescOf(type);
  if (type.shape().size() > rank) return Unimplemented("an epilogue's operand has more axes than the product");
  // One number, or one a channel: what the library's primitives for convolution read while it is still in the registers.
  Dims dims(rank - type.shape().size(), 1);
  for (int64_t d : StaticDims(type)) dims.push_back(d);
  for (size_t i = 0; i < rank; ++i)
    if (dims[i] != 1 && (i != 1 || !p.output().shape()[i].Is(dims[i])))
      return Unimplemented("an epilogue's operand is neither of the product's shape nor one number a channel");
  const size_t channel = rank - type.shape().size() <= 1 ? 1 - (rank - type.shape().size()) : 0;
  if (dims[1] != 1 && type.Strides()[channel].value() != 1) return Unimplemented("an epilogue's operand is strided");
  Dims strides(rank, 1);
  strides[0] = dims[1];
  return PlainDesc(dims, strides, type.dtype());
}

// Descriptors of the primitive: x and y as they lie if that is channels last, else as the library likes.
struct Primitive {
  Desc src, weights, bias, dst, scratchpad;
  dnnl::primitive primitive;  // empty if only described
};

// `part`: of Chunks(p).
Result<Primitive> Describe(const Product& p, const Desc& weight, int64_t part, bool with_post_ops, bool create) {
  Dims stride = SpatialInts(p, "strides"), pad = SpatialInts(p, "pads"), pad_end = pad;
  Dims dilation = SpatialInts(p, "dilations");
  for (int64_t& d : dilation) --d;  // oneDNN counts the gap
  const auto activation = [](const ValueType& t) { return IsChannelsLast(t) ? DescOf(t) : AnyDesc(StaticDims(t), t.dtype()); };
  Desc src = activation(p.input(0));
  const Desc dst = activation(p.output());
  const int64_t chunks = Chunks(p);
  if (chunks > 1) {
    Dims dims = StaticDims(p.input(0));
    const int64_t width = dims.back(), kernel = StaticDims(p.input(1)).back(), out = StaticDims(p.output()).back();
    // The last column that the last output reads, as far as it lies outside.
    const int64_t reach = (out - 1) * stride.back() - pad.back() + (kernel - 1) * (dilation.back() + 1);
    pad.back() = chunks * pad.back() - part;
    pad_end.back() = std::max<int64_t>(0, chunks * reach + part - (chunks * width - 1));
    stride.back() *= chunks;
    dilation.back() = chunks * (dilation.back() + 1) - 1;
    dims[1] /= chunks;
    dims.back() *= chunks;
    ValueType seen = ValueType::Tensor(p.input(0).dtype(), Shape(dims.begin(), dims.end()));
    seen.layout = ChannelsLast(seen.shape());
    src = DescOf(seen);
  }
  const bool last = part + 1 == chunks;
  const Desc bias = HasBias(p) && last ? PlainDesc({p.output().shape()[1].value()}, {1}, p.output().dtype()) : Desc();
  dnnl::primitive_attr attr;
  attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  dnnl::post_ops ops;
  if (part > 0) ops.append_sum(1.0F);
  if (with_post_ops && last) GE_RETURN_IF_ERROR(AppendPostOps(p, [&](const ValueType& t) { return OperandDesc(p, t); }, ops));
  attr.set_post_ops(ops);
  const auto kind = dnnl::prop_kind::forward_inference;
  const auto finish = [&](const auto& pd) -> Result<Primitive> {
    GE_RETURN_IF_ERROR(CheckImplementation(pd));
    using Kind = std::conditional_t<std::is_same_v<std::decay_t<decltype(pd)>, dnnl::convolution_forward::primitive_desc>,
                                    dnnl::convolution_forward, dnnl::deconvolution_forward>;
    return Primitive{pd.src_desc(), pd.weights_desc(),    bias,
                     pd.dst_desc(), pd.scratchpad_desc(), create ? dnnl::primitive(Kind(pd)) : dnnl::primitive()};
  };
  if (Transposed(p)) {
    const auto algorithm = dnnl::algorithm::deconvolution_direct;
    Dims end = pad;  // y's extent says how much is cut off at the end: the output padding
    const Dims extra = SpatialInts(p, "output_padding");
    for (size_t i = 0; i < end.size(); ++i) end[i] -= extra[i];
    return finish(dnnl::deconvolution_forward::primitive_desc({kind, algorithm, src, weight, bias, dst, stride, dilation, pad, end}, attr,
                                                              CpuEngine()));
  }
  const auto algorithm = dnnl::algorithm::convolution_direct;
  return finish(dnnl::convolution_forward::primitive_desc({kind, algorithm, src, weight, bias, dst, stride, dilation, pad, pad_end}, attr,
                                                          CpuEngine()));
}

// Packed weights bind the primitive to them; plain ones are reordered at each run into what is fastest.
Result<Primitive> Choose(const Product& p, int64_t part, bool with_post_ops, bool create) {
  if (FilterType(p).layout.kind != StorageLayout::Kind::kPacked) return Describe(p, FreeWeight(p), part, with_post_ops, create);
  GE_ASSIGN_OR_RETURN(const Desc packed, PartWeight(p));
  return Describe(p, packed, part, with_post_ops, create);
}

Support Supports(const Product& p) {
  Support types = CheckTypes(p);
  if (!types.ok) return types;
  for (int64_t part = 0; part < Chunks(p); ++part) {
    auto pd = Guard("a convolution", [&] { return Choose(p, part, true, false); });
    if (!pd.ok()) return Refuse(pd.message());
  }
  return Support::Yes();
}

std::vector<LayoutPreference> Preferences(const Product& p) {
  using Side = LayoutPreference::Side;
  std::vector<LayoutPreference> wishes;
  const auto channels_last = [&](Side side, int operand, const ValueType& type) {
    wishes.push_back({side, operand, ChannelsLast(type.shape())});
  };
  channels_last(Side::kInput, p.slot(0), p.input(0));
  channels_last(Side::kOutput, 0, p.output());
  if (p.input(1).layout.kind == StorageLayout::Kind::kPacked) return wishes;
  if (UsesWinograd(p)) {
    auto winograd = Guard("a convolution", [&] { return WinogradLayout(p); });
    if (winograd.ok()) wishes.push_back({Side::kInput, p.slot(1), *std::move(winograd)});
    return wishes;
  }
  auto name = Guard("a convolution", [&]() -> Result<std::optional<std::string>> {
    const int64_t groups = p.anchor().Int("groups");
    const int64_t chunks = Chunks(p);
    GE_ASSIGN_OR_RETURN(const Primitive pd, Describe(p, FreeWeight(p), chunks - 1, true, false));
    if (chunks > 1) return PackedName(Stacked(pd.weights, chunks), ViewOf(p));
    return PackedName(Transposed(p) ? AsOutIn(pd.weights, groups) : pd.weights, ViewOf(p));
  });
  if (name.ok() && *name) wishes.push_back({Side::kInput, p.slot(1), StorageLayout::Packed(**name)});
  return wishes;
}

Result<std::unique_ptr<Executable>> LoadWith(const Product& p, bool with_post_ops) {
  GE_ASSIGN_OR_RETURN(const Desc given, WeightDesc(p));
  int64_t filter_at = 0;  // in bytes, in its operand's memory
  if (PackedForWinograd(p.input(1))) {
    GE_ASSIGN_OR_RETURN(const PackedDesc packed, ParsePacked(p.input(1)));
    filter_at = PartsOf(packed.desc).filter;
  }
  auto program = std::make_unique<Program>();
  const int64_t chunks = Chunks(p);
  int src = -1, weights = -1, dst = -1, result = -1;
  for (int64_t part = 0; part < chunks; ++part) {
    GE_ASSIGN_OR_RETURN(const Primitive pd, Choose(p, part, with_post_ops, true));
    const auto bytes_before = static_cast<int64_t>(pd.weights.get_size()) * part;
    if (chunks > 1) {
      src = program->AddOperand(Program::Source::kInput, p.slot(0), pd.src);  // the same memory, seen wider
      if (given == Stacked(pd.weights, chunks)) {
        weights = program->AddOperand(Program::Source::kInput, p.slot(1), pd.weights, bytes_before);
      } else {  // a plain filter: its part is packed at each run
        const Desc all = ViewDesc(FilterType(p), ViewOf(p));
        const auto at = filter_at + all.data.format_desc.blocking.strides[0] * part * static_cast<int64_t>(SizeOf(p.input(1).dtype()));
        const int plain = program->AddOperand(Program::Source::kInput, p.slot(1), PartOf(all), at);
        weights = program->AddWorkspace(pd.weights);
        program->AddReorder(plain, weights);
      }
    } else {
      const auto read = [&](int operand, const Desc& have, const Desc& want, int64_t at) {
        const int buffer = program->AddOperand(Program::Source::kInput, p.slot(operand), have, at);
        if (have == want) return buffer;
        const int copy = program->AddWorkspace(want);
        program->AddReorder(buffer, copy);
        return copy;
      };
      src = read(0, DescOf(p.input(0)), pd.src, 0);
      weights = read(1, given, pd.weights, filter_at);
    }
    if (part == 0) {
      const Desc out = DescOf(p.output());
      result = program->AddOperand(Program::Source::kOutput, 0, out);
      dst = out == pd.dst ? result : program->AddWorkspace(pd.dst);
    }
    std::vector<std::pair<int, int>> args = {{DNNL_ARG_SRC, src}, {DNNL_ARG_WEIGHTS, weights}, {DNNL_ARG_DST, dst}};
    const bool last = part + 1 == chunks;
    if (HasBias(p) && last) args.emplace_back(DNNL_ARG_BIAS, program->AddOperand(Program::Source::kInput, p.slot(2), pd.bias));
    if (with_post_ops && last)
      GE_RETURN_IF_ERROR(AddPostOpArguments(p, [&](const ValueType& t) { return OperandDesc(p, t); }, *program, args, part > 0 ? 1 : 0));
    program->AddStep(pd.primitive, std::move(args), pd.scratchpad);
  }
  if (dst != result) program->AddReorder(dst, result);
  if (with_post_ops) GuardAgainstLostNan(p, LoadWith, *program);
  return std::unique_ptr<Executable>(std::move(program));
}

Result<std::unique_ptr<Executable>> LoadDirect(const Product& p) { return LoadWith(p, true); }

Result<std::unique_ptr<Executable>> Load(const Product& p) {
  return PackedForWinograd(p.input(1)) ? LoadWinograd(p, LoadDirect) : LoadDirect(p);
}

}  // namespace

const OpRow kConv2DRow{"Conv2D", Supports, Preferences, Load};
const OpRow kConv3DRow{"Conv3D", Supports, Preferences, Load};
const OpRow kConv2DTransposeRow{"Conv2DTranspose", Supports, Preferences, Load};
const OpRow kConv3DTransposeRow{"Conv3DTranspose", Supports, Preferences, Load};

}  // namespace ge::onednn
