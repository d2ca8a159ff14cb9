// MatMulV2, leading axes of x1 taken as rows, bias as part of the primitive, epilogue. The weight x2 may come packed.
#include "host_kernels/onednn/kernels.h"

namespace ge::onednn {
namespace {

bool HasBias(const Product& p) { return p.has(2); }
Support Refuse(std::string why) { return Support::No("MatMulV2: " + std::move(why)); }

WeightView ViewOf(const Product& p);

struct Matrix {
  Dims dims, strides;
};

// A tensor as a matrix: the last axis, and all before it as one. nullopt where the leading axes do not walk as one, or
// the strides are of no leading-dimension form (one stride 1, the other spans it), which oneDNN runs on its reference
// kernel only.
std::optional<Matrix> AsMatrix(const ValueType& type) {
  const Dims dims = StaticDims(type), strides = StaticStrides(type);
  if (dims.empty()) return std::nullopt;
  const size_t last = dims.size() - 1;
  int64_t rows = 1, row_stride = 0;
  for (size_t k = last; k-- > 0;) {
    if (dims[k] == 1) continue;
    if (rows == 1)
      row_stride = strides[k];
    else if (strides[k] != row_stride * rows)
      return std::nullopt;
    rows *= dims[k];
  }
  int64_t column_stride = strides[last];
  // The stride of an axis of extent 1 says nothing: it is taken as in a dense matrix.
  if (dims[last] == 1) column_stride = 1;
  if (rows == 1) row_stride = column_stride == 1 ? dims[last] : 1;
  const bool row_major = column_stride == 1 && row_stride >= dims[last], column_major = row_stride == 1 && column_stride >= rows;
  if (!row_major && !column_major) return std::nullopt;
  return Matrix{{rows, dims[last]}, {row_stride, column_stride}};
}

Desc MatrixDesc(const ValueType& type, bool transposed) {
  const Matrix m = *AsMatrix(type);
  const Desc d = PlainDesc(m.dims, m.strides, type.dtype());
  return transposed ? TransposedDesc(d) : d;
}

// What types, attributes and layouts say; the library has the last word (Supports below).
Support CheckTypes(const Product& p) {
  const Node& node = p.node();
  if (!p.has(0) || !p.has(1)) return Refuse("x1 or x2 is absent");
  for (int i = 0; i < node.num_inputs(); ++i) {
    if (!node.input(i)) continue;
    if (std::string why = CheckOperand(node, i, i == p.slot(1)); !why.empty()) return Refuse(why);
  }
  const ValueType &x1 = p.input(0), &x2 = p.input(1), &y = p.output();
  if (x1.dtype() != x2.dtype() || x1.dtype() != y.dtype()) return Refuse("operands of several dtypes");
  if (!AsMatrix(x1)) return Refuse("x1 has strides of no matrix: " + ToString(x1));
  if (p.anchor().Bool("transpose_x1") && x1.rank() != 2) return Refuse("transposed x1 is no matrix: " + ToString(x1));
  if (x2.rank() != 2) return Refuse("x2 is no matrix: " + ToString(x2));
  if (x2.layout.kind != StorageLayout::Kind::kPacked) {
    if (!AsMatrix(x2)) return Refuse("x2 has strides of no matrix: " + ToString(x2));
  } else if (auto packed = ParsePacked(x2); packed.ok() && packed->view != ViewOf(p)) {
    return Refuse("the weight is packed for another operator");
  }
  if (std::string why = CheckType("output", y, false); !why.empty()) return Refuse(why);
  if (!AsMatrix(y)) return Refuse("the output has strides of no matrix: " + ToString(y));
  if (HasBias(p)) {
    const ValueType& b = p.input(2);
    if (b.dtype() != y.dtype() || b.rank() != 1 || !(b.shape()[0] == y.shape().back()))
      return Refuse("bias must be one row of the output, not " + ToString(b));
    if (b.Strides()[0].value() != 1 && !b.shape()[0].Is(1)) return Refuse("bias is strided");
  }
  return Support::Yes();
}

// A second operand of an epilogue as a matrix: all of y, or one row of it.
Result<Desc> OperandDesc(const Product& p, const ValueType& type) {
  const ValueType& y = p.output();
  if (type.dtype() != y.dtype()) return Unimplemented("an epilogue's operand has another dtype");
  if (type.shape() == y.shape()) {
    if (!AsMatrix(type)) return Unimplemented("an epilogue's operand has strides of no matrix");
    return MatrixDesc(type, false);
  }
  const Dims dims = StaticDims(type);
  for (size_t i = 0; i + 1 < dims.size(); ++i)
    if (dims[i] != 1) return Unimplemented("an epilogue's operand is neither of the product's shape nor a row");
  const int64_t n = dims.empty() ? 1 : dims.back();
  if (dims.size() > y.shape().size() || (n != 1 && (!y.shape().back().Is(n) || type.Strides().back().value() != 1)))
    return Unimplemented("an epilogue's operand is no dense row of the product");
  return PlainDesc({1, n}, {n, 1}, type.dtype());
}

bool TransposedWeight(const Product& p) { return p.anchor().Bool("transpose_x2"); }

// Parts that the sums are computed in (kMaxChain). One row only: a part of several rows has gaps between them, for which the
// library leaves its fast code.
int64_t Chunks(const Product& p) {
  const int64_t depth = p.input(1).shape()[TransposedWeight(p) ? 1 : 0].value();
  const Dims x = StaticDims(p.input(0)), strides = StaticStrides(p.input(0));
  bool row = p.input(0).dtype() == DType::kF32 && p.input(0).StaticNumElements() == depth;
  for (size_t i = 0; i < x.size(); ++i) row = row && (x[i] == 1 || strides[i] == 1);
  int64_t chunks = 1;
  if (row)
    while (depth / chunks > kMaxChain && chunks < 4 && depth % (128 * chunks) == 0) chunks *= 2;
  return chunks;
}

// The depth is axis 1 of a transposed weight, else axis 0: split in front there, as groups are.
WeightView ViewOf(const Product& p) {
  const int64_t chunks = Chunks(p) > 1 ? Chunks(p) : 0;
  return TransposedWeight(p) ? WeightView{.chunks = chunks} : WeightView{.groups = chunks};
}

// The weight of one part as the library sees it, [depth, columns], and where it starts in memory, in bytes.
struct PartWeight {
  Desc desc;
  int64_t offset = 0;
};
Result<PartWeight> WeightOf(const Product& p, int64_t part) {
  const ValueType& weight = p.input(1);
  PartWeight w;
  if (weight.layout.kind == StorageLayout::Kind::kPacked) {
    GE_ASSIGN_OR_RETURN(const PackedDesc packed, ParsePacked(weight));
    w.desc = packed.desc;
  } else if (Chunks(p) > 1) {
    w.desc = ViewDesc(weight, ViewOf(p));
  } else {
    return PartWeight{MatrixDesc(weight, TransposedWeight(p)), 0};
  }
  if (Chunks(p) > 1) {
    w.offset = w.desc.data.format_desc.blocking.strides[0] * part * static_cast<int64_t>(SizeOf(weight.dtype()));
    w.desc = PartOf(w.desc);
  }
  if (TransposedWeight(p)) w.desc = TransposedDesc(w.desc);
  return w;
}

// The primitive of one part, with x2's layout as it is or (choose_weight) as the library likes it best.
Result<dnnl::matmul::primitive_desc> Describe(const Product& p, int64_t part, bool choose_weight, bool with_post_ops) {
  const int64_t chunks = Chunks(p);
  Desc x = MatrixDesc(p.input(0), p.anchor().Bool("transpose_x1"));
  const Desc y = MatrixDesc(p.output(), false);
  const int64_t depth = x.dims()[1] / chunks, n = y.dims()[1];
  if (chunks > 1) x = PlainDesc({1, depth}, {depth, 1}, p.input(0).dtype());
  Desc w;
  if (choose_weight) {
    w = AnyDesc({depth, n}, p.input(1).dtype());
  } else {
    GE_ASSIGN_OR_RETURN(const PartWeight given, WeightOf(p, part));
    w = given.desc;
  }
  const bool last = part + 1 == chunks;
  dnnl::primitive_attr attr;
  attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  dnnl::post_ops ops;
  if (part > 0) ops.append_sum(1.0F);
  if (with_post_ops && last) GE_RETURN_IF_ERROR(AppendPostOps(p, [&](const ValueType& t) { return OperandDesc(p, t); }, ops));
  attr.set_post_ops(ops);
  dnnl::matmul::primitive_desc pd =
      HasBias(p) && last ? dnnl::matmul::primitive_desc({x, w, PlainDesc({1, n}, {n, 1}, p.output().dtype()), y}, attr, CpuEngine())
                         : dnnl::matmul::primitive_desc({x, w, y}, attr, CpuEngine());
  GE_RETURN_IF_ERROR(CheckImplementation(pd));
  return pd;
}

Support Supports(const Product& p) {
  Support types = CheckTypes(p);
  if (!types.ok) return types;
  for (int64_t part = 0; part < Chunks(p); ++part) {
    auto pd = Guard("a matrix product", [&] { return Describe(p, part, false, true); });
    if (!pd.ok()) return Refuse(pd.message());
  }
  return Support::Yes();
}

std::vector<LayoutPreference> Preferences(const Product& p) {
  if (p.input(1).layout.kind == StorageLayout::Kind::kPacked) return {};
  const int64_t chunks = Chunks(p);
  auto pd = Guard("a matrix product", [&] { return Describe(p, chunks - 1, true, true); });
  if (!pd.ok()) return {};
  Desc w = pd->weights_desc();
  if (TransposedWeight(p)) w = TransposedDesc(w);
  auto name = PackedName(chunks > 1 ? Stacked(w, chunks) : w, ViewOf(p));
  if (!name) return {};
  return {{LayoutPreference::Side::kInput, p.slot(1), StorageLayout::Packed(*std::move(name))}};
}

Result<std::unique_ptr<Executable>> LoadWith(const Product& p, bool with_post_ops) {
  const double operations = 2.0 * static_cast<double>(p.input(0).StaticNumElements()) *
                            static_cast<double>(p.output().rank() ? p.output().shape().back().value() : 1);
  const ThreadCount threads(Program::IsSmall(operations) ? 1 : 0);
  auto program = std::make_unique<Program>();
  const int64_t chunks = Chunks(p);
  // From one part of x to the next, in bytes.
  const int64_t step = p.input(0).StaticBytes() / chunks;
  for (int64_t part = 0; part < chunks; ++part) {
    GE_ASSIGN_OR_RETURN(const dnnl::matmul::primitive_desc pd, Describe(p, part, false, with_post_ops));
    GE_ASSIGN_OR_RETURN(const PartWeight weight, WeightOf(p, part));
    std::vector<std::pair<int, int>> args = {
        {DNNL_ARG_SRC, program->AddOperand(Program::Source::kInput, p.slot(0), pd.src_desc(), part * step)},
        {DNNL_ARG_WEIGHTS, program->AddOperand(Program::Source::kInput, p.slot(1), pd.weights_desc(), weight.offset)},
        {DNNL_ARG_DST, program->AddOperand(Program::Source::kOutput, 0, pd.dst_desc())}};
    const bool last = part + 1 == chunks;
    if (HasBias(p) && last) args.emplace_back(DNNL_ARG_BIAS, program->AddOperand(Program::Source::kInput, p.slot(2), pd.bias_desc()));
    if (with_post_ops && last)
      GE_RETURN_IF_ERROR(AddPostOpArguments(p, [&](const ValueType& t) { return OperandDesc(p, t); }, *program, args, part > 0 ? 1 : 0));
    program->AddStep(dnnl::matmul(pd), std::move(args), pd.scratchpad_desc());
  }
  program->SetOperations(operations);
  if (with_post_ops) GuardAgainstLostNan(p, LoadWith, *program);
  return std::unique_ptr<Executable>(std::move(program));
}

Result<std::unique_ptr<Executable>> Load(const Product& p) { return LoadWith(p, true); }

}  // namespace

const OpRow kMatMulRow{"MatMulV2", Supports, Preferences, Load};

}  // namespace ge::onednn
