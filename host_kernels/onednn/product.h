#pragma once
// Product: what a product's task computes. Either a product node alone (Conv2D, MatMulV2, ...), or a FusedRegion whose body
// is one product and a chain of element-wise nodes behind it.
#include "host_kernels/onednn/post_op.h"

namespace ge::onednn {

class Product {
 public:
  // Reads a node that is itself a product, or a region. A refusal says why.
  static Result<Product> Read(const Node& node);

  const Node& node() const { return *node_; }      // the task's
  const Node& anchor() const { return *anchor_; }  // the product itself: attributes and arity
  bool fused() const { return !post_ops_.empty(); }
  const std::vector<PostOp>& post_ops() const { return post_ops_; }

  bool has(int operand) const { return operand < static_cast<int>(slots_.size()) && slots_[static_cast<size_t>(operand)] >= 0; }
  // Number among the task's inputs, and type there, of operand `operand` of the anchor. It must be present.
  int slot(int operand) const { return slots_[static_cast<size_t>(operand)]; }
  const ValueType& input(int operand) const { return node_->input(slot(operand))->type(); }
  const ValueType& output() const { return node_->output()->type(); }

 private:
  const Node *node_ = nullptr, *anchor_ = nullptr;
  std::vector<int> slots_;
  std::vector<PostOp> post_ops_;
};

// Appends the post-ops to those of a primitive. `desc` describes a second operand, of the rank of the result,
// with extents 1 where it is broadcast.
using DescribeOperand = std::function<Result<Desc>(const ValueType&)>;
Status AppendPostOps(const Product& product, const DescribeOperand& desc, dnnl::post_ops& ops);
// Adds the second operands to the arguments of the primitive; `before`: the post-ops it has in front of them.
Status AddPostOpArguments(const Product& product, const DescribeOperand& desc, Program& program,
                          std::vector<std::pair<int, int>>& arguments, int before = 0);

// Refuses primitives that run on the library's reference code: others are faster there, and it may lose a NaN without a sign.
Status CheckImplementation(const dnnl::primitive_desc_base& pd);

// Makes `program`, loaded from `product`, fall back to `plain` (the program of the product alone, made by `load_plain`) and the
// exact arithmetic of the post-ops where it met a NaN.
void GuardAgainstLostNan(const Product& product, Result<std::unique_ptr<Executable>> (*load_plain)(const Product&, bool with_post_ops),
                         Program& program);

}  // namespace ge::onednn
