// BatchMatMul and BatchMatMulV2: batches of matrices whose batch axes broadcast; transposed operands by their strides, without a
// copy. Vectors are left to others.
#include "host_kernels/onednn/kernels.h"

namespace ge::onednn {
namespace {

Support Refuse(const Product& p, std::string why) { return Support::No(StrCat(p.anchor().op().name, ": ", std::move(why))); }

// An operand with `rank` axes: leading ones of extent 1 are added; the matrix axes exchanged if transposed.
struct Operand {
  Dims dims, strides;
};

Operand OperandOf(const ValueType& type, size_t rank, bool transposed) {
  Operand o{StaticDims(type), StaticStrides(type)};
  const size_t missing = rank - o.dims.size();
  const int64_t outer = o.dims.empty() ? 1 : o.dims[0] * o.strides[0];
  o.dims.insert(o.dims.begin(), missing, 1);
  o.strides.insert(o.strides.begin(), missing, std::max<int64_t>(outer, 1));
  if (transposed) {
    std::swap(o.dims[rank - 2], o.dims[rank - 1]);
    std::swap(o.strides[rank - 2], o.strides[rank - 1]);
  }
  // The stride of an axis of one element says nothing; the library expects that of a dense matrix.
  int64_t &row = o.strides[rank - 2], &column = o.strides[rank - 1];
  if (o.dims[rank - 1] == 1) column = row == 1 ? std::max<int64_t>(o.dims[rank - 2], 1) : 1;
  if (o.dims[rank - 2] == 1) row = column == 1 ? std::max<int64_t>(o.dims[rank - 1], 1) : 1;
  return o;
}

bool LeadingDimensionForm(const Operand& o) {
  const size_t r = o.dims.size();
  const int64_t rows = o.dims[r - 2], columns = o.dims[r - 1], row = o.strides[r - 2], column = o.strides[r - 1];
  return (column == 1 && row >= columns) || (row == 1 && column >= rows);
}

bool Adjoint(const Product& p, int operand) { return p.anchor().Is("BatchMatMul") && p.anchor().Bool(operand == 0 ? "adj_x1" : "adj_x2"); }

Desc DescOfOperand(const ValueType& type, size_t rank, bool transposed) {
  const Operand o = OperandOf(type, rank, transposed);
  return PlainDesc(o.dims, o.strides, type.dtype());
}

// A second operand of an epilogue with the rank of y: all of y, or broadcast along whole axes.
Result<Desc> PostOpDesc(const Product& p, const ValueType& type) {
  const size_t rank = p.output().shape().size();
  if (type.dtype() != p.output().dtype() || type.shape().size() > rank)
    return Unimplemented("an epilogue's operand has another dtype or more axes than the product");
  if (type.shape() != p.output().shape() && type.NumElements() != Dim(1))
    return Unimplemented("an epilogue's operand is neither of the product's shape nor one number");
  return DescOfOperand(type, rank, false);
}

Support CheckTypes(const Product& p) {
  const Node& node = p.node();
  if (!p.has(0) || !p.has(1)) return Refuse(p, "x1 or x2 is absent");
  for (int i = 0; i < node.num_inputs(); ++i) {
    if (!node.input(i)) continue;
    if (std::string why = CheckOperand(node, i, false); !why.empty()) return Refuse(p, why);
  }
  const ValueType &x1 = p.input(0), &x2 = p.input(1), &y = p.output();
  if (std::string why = CheckType("output", y, false); !why.empty()) return Refuse(p, why);
  if (x1.dtype() != x2.dtype() || x1.dtype() != y.dtype()) return Refuse(p, "operands of several dtypes");
  if (x1.rank() < 2 || x2.rank() < 2) return Refuse(p, "an operand is a vector");
  if (y.rank() > 6) return Refuse(p, "more than 6 axes");
  const size_t rank = y.shape().size();
  if (!LeadingDimensionForm(OperandOf(x1, rank, Adjoint(p, 0))) || !LeadingDimensionForm(OperandOf(x2, rank, Adjoint(p, 1))) ||
      !LeadingDimensionForm(OperandOf(y, rank, false)))
    return Refuse(p, "an operand has strides of no matrix");
  return Support::Yes();
}

Result<dnnl::matmul::primitive_desc> Describe(const Product& p, bool with_post_ops) {
  const size_t rank = p.output().shape().size();
  dnnl::primitive_attr attr;
  attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  if (with_post_ops) {
    dnnl::post_ops ops;
    GE_RETURN_IF_ERROR(AppendPostOps(p, [&](const ValueType& t) { return PostOpDesc(p, t); }, ops));
    attr.set_post_ops(ops);
  }
  dnnl::matmul::primitive_desc pd({DescOfOperand(p.input(0), rank, Adjoint(p, 0)), DescOfOperand(p.input(1), rank, Adjoint(p, 1)),
                                   DescOfOperand(p.output(), rank, false)},
                                  attr, CpuEngine());
  GE_RETURN_IF_ERROR(CheckImplementation(pd));
  return pd;
}

Support Supports(const Product& p) {
  Support types = CheckTypes(p);
  if (!types.ok) return types;
  auto pd = Guard("a batch of matrix products", [&] { return Describe(p, true); });
  return pd.ok() ? Support::Yes() : Refuse(p, pd.message());
}

Result<std::unique_ptr<Executable>> LoadWith(const Product& p, bool with_post_ops) {
  const double operations = 2.0 * static_cast<double>(p.output().StaticNumElements()) *
                            static_cast<double>(p.input(0).shape()[p.input(0).shape().size() - (Adjoint(p, 0) ? 2 : 1)].value());
  const ThreadCount threads(Program::IsSmall(operations) ? 1 : 0);
  GE_ASSIGN_OR_RETURN(const dnnl::matmul::primitive_desc pd, Describe(p, with_post_ops));
  auto program = std::make_unique<Program>();
  std::vector<std::pair<int, int>> args = {{DNNL_ARG_SRC, program->AddOperand(Program::Source::kInput, p.slot(0), pd.src_desc())},
                                           {DNNL_ARG_WEIGHTS, program->AddOperand(Program::Source::kInput, p.slot(1), pd.weights_desc())},
                                           {DNNL_ARG_DST, program->AddOperand(Program::Source::kOutput, 0, pd.dst_desc())}};
  if (with_post_ops) GE_RETURN_IF_ERROR(AddPostOpArguments(p, [&](const ValueType& t) { return PostOpDesc(p, t); }, *program, args));
  program->AddStep(dnnl::matmul(pd), std::move(args), pd.scratchpad_desc());
  program->SetOperations(operations);
  if (with_post_ops) GuardAgainstLostNan(p, LoadWith, *program);
  return std::unique_ptr<Executable>(std::move(program));
}

Result<std::unique_ptr<Executable>> Load(const Product& p) { return LoadWith(p, true); }

}  // namespace

const OpRow kBatchMatMulRow{"BatchMatMul", Supports, nullptr, Load};
const OpRow kBatchMatMulV2Row{"BatchMatMulV2", Supports, nullptr, Load};

}  // namespace ge::onednn
