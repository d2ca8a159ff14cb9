#include "host_kernels/onednn/product.h"

#include <algorithm>
#include <bit>

#include "ge_core/ir/fused_region.h"
#include "host_kernels/onednn/kernels.h"

namespace ge::onednn {
namespace {

float Load(const void* data, int64_t i, DType dtype) {
  if (dtype == DType::kF32) return static_cast<const float*>(data)[i];
  return std::bit_cast<float>(static_cast<uint32_t>(static_cast<const uint16_t*>(data)[i]) << 16);
}

void Store(void* data, int64_t i, DType dtype, float v) {
  if (dtype == DType::kF32) {
    static_cast<float*>(data)[i] = v;
    return;
  }
  const uint32_t bits = std::bit_cast<uint32_t>(v);
  const uint32_t rounded = std::isnan(v) ? (bits | 0x400000U) : bits + 0x7fffU + ((bits >> 16) & 1U);  // to nearest, ties to even
  static_cast<uint16_t*>(data)[i] = static_cast<uint16_t>(rounded >> 16);
}

// The product's own program, then each post-op element by element. Slow: it runs only where a NaN came up.
class ExactProduct : public Executable {
 public:
  ExactProduct(const Product& product, std::unique_ptr<Executable> plain) : plain_(std::move(plain)), post_ops_(product.post_ops()) {
    const ValueType& y = product.output();
    dtype_ = y.dtype();
    dims_ = StaticDims(y);
    strides_ = StaticStrides(y);
    for (const PostOp& p : post_ops_) {
      Dims& walk = operand_strides_.emplace_back(dims_.size(), 0);
      if (p.operand < 0) continue;
      const ValueType& operand = product.node().input(p.operand)->type();
      const Dims dims = StaticDims(operand), strides = StaticStrides(operand);
      const size_t skipped = dims_.size() - dims.size();
      for (size_t i = 0; i < dims.size(); ++i)
        if (dims[i] != 1) walk[skipped + i] = strides[i];
    }
  }

  int64_t workspace_bytes() const override { return plain_->workspace_bytes(); }

  Status Run(KernelContext& context) const override {
    GE_RETURN_IF_ERROR(plain_->Run(context));
    void* y = context.outputs[0]->data;
    Dims index(dims_.size(), 0);
    for (;;) {
      int64_t at = 0;
      for (size_t i = 0; i < dims_.size(); ++i) at += index[i] * strides_[i];
      float v = ge::onednn::Load(y, at, dtype_);
      for (size_t k = 0; k < post_ops_.size(); ++k) {
        const PostOp& p = post_ops_[k];
        float other = 0;
        if (p.operand >= 0) {
          int64_t from = 0;
          for (size_t i = 0; i < dims_.size(); ++i) from += index[i] * operand_strides_[k][i];
          other = ge::onednn::Load(context.inputs[static_cast<size_t>(p.operand)]->data, from, dtype_);
        }
        v = p.exact(v, other, p.alpha, p.beta);
      }
      Store(y, at, dtype_, v);
      size_t k = dims_.size();
      while (k-- > 0 && ++index[k] == dims_[k]) index[k] = 0;
      if (k == static_cast<size_t>(-1)) return {};
    }
  }

 private:
  std::unique_ptr<Executable> plain_;
  std::vector<PostOp> post_ops_;
  DType dtype_ = DType::kF32;
  Dims dims_, strides_;
  std::vector<Dims> operand_strides_;  // one a post-op, along the axes of y; 0 where broadcast
};

}  // namespace

Result<Product> Product::Read(const Node& node) {
  Product p;
  p.node_ = &node;
  const Graph* body = node.Is("FusedRegion") ? RegionBody(node) : nullptr;
  if (!body) {
    p.anchor_ = &node;
    for (int i = 0; i < node.num_inputs(); ++i) p.slots_.push_back(node.input(i) ? i : -1);
    return p;
  }
  const auto slot = [&](const Value* v) { return v && v->producer()->Is("Data") ? static_cast<int>(v->producer()->Int("index")) : -1; };
  const Value* result = nullptr;  // of the chain so far
  for (const Node* n : body->nodes()) {
    if (n->Is("Data") || n == body->net_output()) continue;
    if (n->num_outputs() != 1) return Unimplemented(StrCat(n->op().name, " in a region has several results"));
    if (!result) {
      p.anchor_ = n;
      for (const Value* v : n->inputs()) {
        if (v && slot(v) < 0) return Unimplemented("the product of a region reads another node of it");
        p.slots_.push_back(slot(v));
      }
    } else {
      const auto from = std::ranges::find(n->inputs(), result) - n->inputs().begin();
      GE_ASSIGN_OR_RETURN(PostOp post_op, ReadPostOp(*n, static_cast<int>(from)));
      if (post_op.operand >= 0) {
        post_op.operand = slot(n->input(post_op.operand));
        if (post_op.operand < 0) return Unimplemented("an epilogue reads a node of the region other than the one before");
      }
      p.post_ops_.push_back(post_op);
    }
    result = n->output();
  }
  if (!result || !body->net_output() || body->net_output()->num_inputs() != 1 || body->net_output()->input(0) != result)
    return Unimplemented("a region that is no chain behind one product");
  return p;
}

Status AppendPostOps(const Product& product, const DescribeOperand& desc, dnnl::post_ops& ops) {
  for (const PostOp& p : product.post_ops()) {
    if (p.operand < 0) {
      ops.append_eltwise(1.0F, p.algorithm, p.alpha, p.beta);
      continue;
    }
    GE_ASSIGN_OR_RETURN(const Desc operand, desc(product.node().input(p.operand)->type()));
    ops.append_binary(p.algorithm, operand);
  }
  return {};
}

Status AddPostOpArguments(const Product& product, const DescribeOperand& desc, Program& program,
                          std::vector<std::pair<int, int>>& arguments, int before) {
  for (size_t i = 0; i < product.post_ops().size(); ++i) {
    const PostOp& p = product.post_ops()[i];
    if (p.operand < 0) continue;
    GE_ASSIGN_OR_RETURN(const Desc operand, desc(product.node().input(p.operand)->type()));
    arguments.emplace_back(DNNL_ARG_ATTR_MULTIPLE_POST_OP(before + static_cast<int>(i)) | DNNL_ARG_SRC_1,
                           program.AddOperand(Program::Source::kInput, p.operand, operand));
  }
  return {};
}

Status CheckImplementation(const dnnl::primitive_desc_base& pd) {
  const std::string_view name = pd.impl_info_str();
  return name.starts_with("ref") ? Unimplemented(StrCat("only the library's reference code ('", name, "') runs it")) : Status();
}

void GuardAgainstLostNan(const Product& product, Result<std::unique_ptr<Executable>> (*load_plain)(const Product&, bool with_post_ops),
                         Program& program) {
  if (!product.fused()) return;
  program.SetExact([product, load_plain]() -> Result<std::unique_ptr<Executable>> {
    GE_ASSIGN_OR_RETURN(std::unique_ptr<Executable> plain, load_plain(product, false));
    return std::unique_ptr<Executable>(std::make_unique<ExactProduct>(product, std::move(plain)));
  });
}

}  // namespace ge::onednn
