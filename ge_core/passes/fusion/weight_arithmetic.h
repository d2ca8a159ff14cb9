#pragma once
// What the passes share that move an operator's work into the weights of the product before it (a convolution or a matrix
// product): when that is allowed, and how the arithmetic on weights is written. It is written as ordinary nodes: what
// depends on constants is folded, what depends on weights runs once per set of weights (the constant stage).
//
// The class of these rules is "tolerance": (x * w) * s and x * (w * s) round differently. Everything that is absorbed must
// be finite, and a divisor not zero, or NaN can take the place of an infinity; of values that come with the call that is
// taken for granted.
#include "ge_core/passes/fold/fold_options.h"
#include "ge_core/passes/rewriter.h"

namespace ge {

// Conv2D, Conv3D and their transposed forms; inputs are x, filter and an optional bias.
bool IsConvolution(const Node& node);

// Why `value` is not known before the call: it must follow from constants and weights through pure nodes alone, none of
// which is written or kept from folding by the user. Empty if it is known.
std::string WhyNotWeight(const Value& value, const Rewriter& rewriter, const FoldOptions& fold);

// Why `product` (inputs x, weight, optional bias) cannot take over the work of `user`, the reader of its result. Says
// nothing about the other operands of `user`. Empty if it can.
std::string WhyNotAbsorb(const Node& product, const Node& user, const Rewriter& rewriter, const FoldOptions& fold);

// The operand that an element-wise node brings to the result of a convolution. At most one of the two is set.
struct ChannelOperand {
  Value* value = nullptr;  // one element a channel, or one element
  Attr number;             // a Python number
  bool set() const { return value || !number.IsNone(); }
};
// Takes the operand of `user` beside input `port`, the result of a convolution; `number` names the attribute that holds
// one. Returns why it does not have one element a channel, or is not known before the call.
std::string FindChannelOperand(const Node& user, int port, std::string_view number, const Rewriter& rewriter, const FoldOptions& fold,
                               ChannelOperand* operand);

// Writes nodes before `before`. The first failure sticks: everything after it gives null.
class WeightArithmetic {
 public:
  WeightArithmetic(Rewriter& rewriter, Node& before) : rewriter_(rewriter), before_(before) {}

  // `like`: the result takes this type (and so its strides) where the type is dense; else the inferred one.
  Value* Op(std::string_view op, std::vector<Value*> inputs, AttrMap attrs = {}, const ValueType* like = nullptr);
  // The value itself where it has that shape.
  Value* Reshape(Value* value, const std::vector<int64_t>& shape);
  // A vector of zeros.
  Value* Zeros(DType dtype, int64_t n);
  // The operand as a scalar (one element) or a vector; null for a number.
  Value* Flat(const ChannelOperand& operand);

  // The filter of `convolution` with `op` (Mul, RealDiv) applied to each output channel; `factor` is a scalar or has one
  // element a channel.
  Value* ScaleFilter(const Node& convolution, std::string_view op, Value* factor);

  // Inference's batch normalisation of axis 1 as y = x * scale + shift, in eager's order of operations.
  struct Affine {
    Value* scale;
    Value* shift;
  };
  Affine FromBatchNorm(const Node& batch_norm);
  // bias * affine.scale + affine.shift; `bias` may be null.
  Value* ApplyTo(Value* bias, const Affine& affine);

  // The first failure, or OK.
  Status TakeStatus() { return std::move(status_); }

 private:
  Rewriter& rewriter_;
  Node& before_;
  Status status_;
};

// Why an operand of the BNInfer node is not known before the call, or the node is no pure scaling. Empty if it is.
std::string WhyNotAffine(const Node& batch_norm, const Rewriter& rewriter, const FoldOptions& fold);

// Puts a new product with this weight and bias (null: none) in the place of `product` and `user`, and removes both.
Status AbsorbUser(Node& product, Node& user, Value* weight, Value* bias, Rewriter& rewriter);

}  // namespace ge
