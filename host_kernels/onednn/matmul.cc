// MatMulV2, leading axes of x1 taken as rows, bias as part of the primitive. The weight x2 may come packed.
#include "host_kernels/onednn/kernels.h"

namespace ge::onednn {
namespace {

bool HasBias(const Node& node) { return node.num_inputs() > 2 && node.input(2); }

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

// What types, attributes and layouts say; the library has the last word (Supports below).
Support CheckTypes(const Node& node) {
  for (int i = 0; i < (HasBias(node) ? 3 : 2); ++i) {
    if (std::string why = CheckOperand(node, i, i == 1); !why.empty()) return Support::No("MatMulV2: " + why);
  }
  const ValueType &x1 = node.input(0)->type(), &x2 = node.input(1)->type(), &y = node.output()->type();
  if (!AsMatrix(x1)) return Support::No("MatMulV2: x1 has strides of no matrix: " + ToString(x1));
  if (node.Bool("transpose_x1") && x1.rank() != 2) return Support::No("MatMulV2: transposed x1 is no matrix: " + ToString(x1));
  if (x2.rank() != 2) return Support::No("MatMulV2: x2 is no matrix: " + ToString(x2));
  if (x2.layout.kind != StorageLayout::Kind::kPacked) {
    if (!AsMatrix(x2)) return Support::No("MatMulV2: x2 has strides of no matrix: " + ToString(x2));
  } else if (auto packed = ParsePacked(x2); packed.ok() && packed->groups != 0) {
    return Support::No("MatMulV2: the weight is packed for a grouped convolution");
  }
  if (std::string why = CheckType("output", y, false); !why.empty()) return Support::No("MatMulV2: " + why);
  if (!AsMatrix(y)) return Support::No("MatMulV2: the output has strides of no matrix: " + ToString(y));
  if (HasBias(node)) {
    const ValueType& b = node.input(2)->type();
    if (b.rank() != 1 || !(b.shape()[0] == y.shape().back()))
      return Support::No("MatMulV2: bias must be one row of the output, not " + ToString(b));
    if (b.Strides()[0].value() != 1 && !b.shape()[0].Is(1)) return Support::No("MatMulV2: bias is strided");
  }
  return Support::Yes();
}

// The primitive, with x2's layout as it is or (choose_weight) as the library likes it best.
Result<dnnl::matmul::primitive_desc> Describe(const Node& node, bool choose_weight) {
  const auto plain = [](const ValueType& t, bool transposed) {
    const Matrix m = *AsMatrix(t);
    const Desc d = PlainDesc(m.dims, m.strides);
    return transposed ? TransposedDesc(d) : d;
  };
  const bool transposed = node.Bool("transpose_x2");
  const ValueType& weight = node.input(1)->type();
  Desc w;
  if (choose_weight) {
    Dims dims = StaticDims(weight);
    if (transposed) std::swap(dims[0], dims[1]);
    w = AnyDesc(dims);
  } else if (weight.layout.kind == StorageLayout::Kind::kPacked) {
    GE_ASSIGN_OR_RETURN(const PackedDesc packed, ParsePacked(weight));
    w = transposed ? TransposedDesc(packed.desc) : packed.desc;
  } else {
    w = plain(weight, transposed);
  }
  const Desc x = plain(node.input(0)->type(), node.Bool("transpose_x1"));
  const Desc y = plain(node.output()->type(), false);
  dnnl::primitive_attr attr;
  attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  if (HasBias(node)) {
    const int64_t n = y.dims()[1];
    return dnnl::matmul::primitive_desc({x, w, PlainDesc({1, n}, {n, 1}), y}, attr, CpuEngine());
  }
  return dnnl::matmul::primitive_desc({x, w, y}, attr, CpuEngine());
}

Support Supports(const Node& node) {
  Support types = CheckTypes(node);
  if (!types.ok) return types;
  auto pd = Guard("a matrix product", [&] { return Describe(node, false); });
  return pd.ok() ? Support::Yes() : Support::No("MatMulV2: " + pd.message());
}

std::vector<LayoutPreference> Preferences(const Node& node) {
  if (node.input(1)->type().layout.kind == StorageLayout::Kind::kPacked) return {};
  auto pd = Guard("a matrix product", [&] { return Describe(node, true); });
  if (!pd.ok()) return {};
  Desc w = pd->weights_desc();
  if (node.Bool("transpose_x2")) w = TransposedDesc(w);
  auto name = PackedName(w, 0);
  if (!name) return {};
  return {{1, StorageLayout::Packed(*std::move(name))}};
}

Result<std::unique_ptr<Executable>> Load(const Node& node) {
  const ValueType& y = node.output()->type();
  const double operations =
      2.0 * static_cast<double>(node.input(0)->type().StaticNumElements()) * static_cast<double>(y.rank() ? y.shape().back().value() : 1);
  const ThreadCount threads(Program::IsSmall(operations) ? 1 : 0);
  GE_ASSIGN_OR_RETURN(const dnnl::matmul::primitive_desc pd, Describe(node, false));
  auto program = std::make_unique<Program>();
  std::vector<std::pair<int, int>> args = {{DNNL_ARG_SRC, program->AddOperand(Program::Source::kInput, 0, pd.src_desc())},
                                           {DNNL_ARG_WEIGHTS, program->AddOperand(Program::Source::kInput, 1, pd.weights_desc())},
                                           {DNNL_ARG_DST, program->AddOperand(Program::Source::kOutput, 0, pd.dst_desc())}};
  if (HasBias(node)) args.emplace_back(DNNL_ARG_BIAS, program->AddOperand(Program::Source::kInput, 2, pd.bias_desc()));
  program->AddStep(dnnl::matmul(pd), std::move(args), pd.scratchpad_desc());
  program->SetOperations(operations);
  return std::unique_ptr<Executable>(std::move(program));
}

}  // namespace

const OpRow kMatMulRow{"MatMulV2", Supports, Preferences, Load};

}  // namespace ge::onednn
