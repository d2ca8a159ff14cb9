#include "ge_core/passes/fusion/weight_arithmetic.h"

#include <algorithm>

#include "ge_core/base/str.h"
#include "ge_core/passes/fold/folding_pass.h"

namespace ge {
namespace {

// What leads to a weight is a cast, a transposition, an earlier rule's arithmetic. More than this is not looked through.
constexpr size_t kMaxNodes = 64;

bool IsTransposed(const Node& convolution) { return convolution.Is("Conv2DTranspose") || convolution.Is("Conv3DTranspose"); }

// Static, and the strides (if any) are a permutation of dense ones: an element-wise result can have them.
bool IsDense(const ValueType& type) {
  if (!type.IsStatic()) return false;
  if (type.layout.kind == StorageLayout::Kind::kPacked) return false;
  if (type.layout.kind != StorageLayout::Kind::kStrided) return true;
  std::vector<std::pair<int64_t, int64_t>> axes;  // stride, extent
  for (size_t d = 0; d < type.shape().size(); ++d) {
    const Dim& stride = type.layout.strides[d];
    if (!stride.IsConst()) return false;
    if (!type.shape()[d].Is(1)) axes.emplace_back(stride.value(), type.shape()[d].value());
  }
  std::sort(axes.begin(), axes.end());
  int64_t next = 1;
  for (const auto& [stride, extent] : axes) {
    if (stride != next) return false;
    next *= extent;
  }
  return true;
}

std::string Quote(const Node& node) { return StrCat("'", node.name(), "'"); }

}  // namespace

bool IsConvolution(const Node& node) {
  return node.Is("Conv2D") || node.Is("Conv3D") || node.Is("Conv2DTranspose") || node.Is("Conv3DTranspose");
}

std::string WhyNotWeight(const Value& value, const Rewriter& rewriter, const FoldOptions& fold) {
  std::vector<const Value*> todo = {&value};
  std::vector<const Node*> seen;
  while (!todo.empty()) {
    const Value& v = *todo.back();
    const Node& n = *v.producer();
    todo.pop_back();
    if (rewriter.aliases().MayBeWritten(&v)) return StrCat(Quote(n), " may be written");
    if (!v.type().IsTensor() || !v.type().IsStatic()) return StrCat(Quote(n), " is ", ToString(v.type()), ", not a tensor of known shape");
    if (n.op().Has(kSkeleton)) {
      if (n.Is("Data") && !n.Bool("weight")) return StrCat("input ", Quote(n), " of the graph is not known before the call");
      continue;
    }
    if (std::find(seen.begin(), seen.end(), &n) != seen.end()) continue;
    if (seen.size() == kMaxNodes) return StrCat(Quote(*value.producer()), " depends on more than ", kMaxNodes, " nodes");
    seen.push_back(&n);
    if (!n.pure() || n.op().Has(kRandom) || n.op().Has(kControlFlow))
      return StrCat(Quote(n), " has effects, draws random numbers or runs subgraphs");
    if (!n.control_inputs().empty()) return StrCat(Quote(n), " waits for another node");
    if (std::string kept = KeptByUser(n, fold); !kept.empty()) return StrCat("of ", Quote(n), " ", kept);
    for (const Value* in : n.inputs())
      if (in) todo.push_back(in);
  }
  return {};
}

std::string WhyNotAbsorb(const Node& product, const Node& user, const Rewriter& rewriter, const FoldOptions& fold) {
  const AliasInfo& aliases = rewriter.aliases();
  const ValueType &before = product.output()->type(), &after = user.output()->type();
  if (before.dtype() != DType::kF32 && before.dtype() != DType::kF64)
    return StrCat(Quote(product), " computes in ", Name(before.dtype()), ", which would round a changed weight visibly");
  if (product.output()->uses().size() != 1) return StrCat("the result of ", Quote(product), " has other readers");
  if (aliases.Escapes(product.output()) || aliases.MayBeWritten(product.output()))
    return StrCat("the result of ", Quote(product), " leaves the graph or may be written");
  if (before.dtype() != after.dtype() || before.shape() != after.shape())
    return StrCat("it changes the type of ", Quote(product), " from ", ToString(before), " to ", ToString(after));
  if (!(before == after) && aliases.Escapes(user.output()))
    return StrCat("it is returned with the strides of ", ToString(after), ", those of ", Quote(product), " differ");
  if (!product.control_outputs().empty()) return StrCat("another node waits for ", Quote(product));
  for (const Node* n : {&product, &user})
    if (std::string kept = KeptByUser(*n, fold); !kept.empty()) return StrCat("of ", Quote(*n), " ", kept);
  // The new product stands where `user` does.
  if (aliases.MayBeWritten(product.input(0))) return StrCat("the operand of ", Quote(product), " may be written in between");
  if (product.input(1)->type().layout.kind == StorageLayout::Kind::kPacked) return StrCat("the weight of ", Quote(product), " is packed");
  for (int i = 1; i < product.num_inputs(); ++i)
    if (const Value* v = product.input(i))
      if (std::string why = WhyNotWeight(*v, rewriter, fold); !why.empty()) return why;
  return {};
}

std::string FindChannelOperand(const Node& user, int port, std::string_view number, const Rewriter& rewriter, const FoldOptions& fold,
                               ChannelOperand* operand) {
  *operand = {};
  if (!number.empty()) operand->number = user.attr(number);
  for (int i = 0; i < user.num_inputs(); ++i)
    if (i != port && user.input(i)) operand->value = user.input(i);
  if (!operand->value) {
    if (operand->set()) return operand->number.AsDouble() ? std::string() : "its number is not real";
    return "its other operand is absent";
  }
  operand->number = {};
  const ValueType &type = operand->value->type(), &result = user.input(port)->type();
  if (std::string why = WhyNotWeight(*operand->value, rewriter, fold); !why.empty()) return why;
  if (type.dtype() != result.dtype()) return StrCat("its operand is ", ToString(type), ", the convolution's result ", ToString(result));
  if (type.StaticNumElements() == 1) return {};
  // Axis 1 of the result, counted from the end.
  const int64_t channel = type.rank() - (result.rank() - 1);
  for (int64_t d = 0; d < type.rank(); ++d) {
    const Dim& extent = type.shape()[static_cast<size_t>(d)];
    if (d == channel ? !(extent == result.shape()[1]) : !extent.Is(1))
      return StrCat("its operand ", ToString(type), " does not have one element a channel of ", ToString(result));
  }
  return {};
}

Value* WeightArithmetic::Op(std::string_view op, std::vector<Value*> inputs, AttrMap attrs, const ValueType* like) {
  if (!status_.ok()) return nullptr;
  Result<Node*> node = rewriter_.Create(op, std::move(inputs), std::move(attrs), before_,
                                        like && IsDense(*like) ? std::vector<ValueType>{*like} : std::vector<ValueType>{});
  if (node.ok()) return (*node)->output();
  status_ = std::move(node).status();
  return nullptr;
}

Value* WeightArithmetic::Reshape(Value* value, const std::vector<int64_t>& shape) {
  if (!status_.ok()) return nullptr;
  if (std::equal(shape.begin(), shape.end(), value->type().shape().begin(), value->type().shape().end())) return value;
  return Op("Reshape", {value, rewriter_.Ints(shape, before_)});
}

Value* WeightArithmetic::Zeros(DType dtype, int64_t n) {
  return rewriter_.graph().CreateConst(Tensor(ValueType::Tensor(dtype, {n})), &before_, before_.name())->output();
}

Value* WeightArithmetic::Flat(const ChannelOperand& operand) {
  if (!operand.value) return nullptr;
  const int64_t n = operand.value->type().StaticNumElements();
  return Reshape(operand.value, n == 1 ? std::vector<int64_t>{} : std::vector<int64_t>{n});
}

Value* WeightArithmetic::ScaleFilter(const Node& convolution, std::string_view op, Value* factor) {
  if (!status_.ok()) return nullptr;
  Value* filter = convolution.input(1);
  const auto extent = [&](size_t d) { return filter->type().shape()[d].value(); };
  std::vector<int64_t> shape(static_cast<size_t>(filter->type().rank()), 1);
  if (factor->type().rank() == 0) {
    // as it is
  } else if (!IsTransposed(convolution)) {
    shape[0] = extent(0);
    factor = Reshape(factor, shape);
  } else if (const int64_t groups = convolution.Int("groups"); groups == 1) {
    shape[1] = extent(1);
    factor = Reshape(factor, shape);
  } else {
    // Filter rows are input channels; those of group g see output channels g * n ... g * n + n - 1.
    const int64_t rows = extent(0), n = extent(1);
    factor = Reshape(factor, {groups, 1, n});
    const int64_t spread[] = {groups, rows / groups, n};
    factor = Op("BroadcastTo", {factor, rewriter_.Ints(spread, before_)});
    shape[0] = rows;
    shape[1] = n;
    factor = Reshape(factor, shape);
  }
  return Op(op, {filter, factor}, {}, &filter->type());
}

WeightArithmetic::Affine WeightArithmetic::FromBatchNorm(const Node& batch_norm) {
  Value *gamma = batch_norm.input(1), *beta = batch_norm.input(2), *mean = batch_norm.input(3), *variance = batch_norm.input(4);
  Affine out{};
  out.scale = Op("Rsqrt", {Op("Adds", {variance}, {{"value", batch_norm.Float("epsilon")}})});
  if (gamma) out.scale = Op("Mul", {out.scale, gamma});
  Value* offset = Op("Mul", {mean, out.scale});
  out.shift = beta ? Op("Sub", {beta, offset}) : Op("Neg", {offset});
  return out;
}

Value* WeightArithmetic::ApplyTo(Value* bias, const Affine& affine) {
  return bias ? Op("Add", {Op("Mul", {bias, affine.scale}), affine.shift}) : affine.shift;
}

std::string WhyNotAffine(const Node& batch_norm, const Rewriter& rewriter, const FoldOptions& fold) {
  for (int i = 1; i < batch_norm.num_inputs(); ++i) {
    const Value* v = batch_norm.input(i);
    if (!v) continue;
    if (std::string why = WhyNotWeight(*v, rewriter, fold); !why.empty()) return why;
    if (v->type().dtype() != batch_norm.output()->type().dtype())
      return StrCat("its parameter ", i, " is ", ToString(v->type()), ", its result ", ToString(batch_norm.output()->type()));
  }
  return {};
}

Status AbsorbUser(Node& product, Node& user, Value* weight, Value* bias, Rewriter& rewriter) {
  std::vector<Value*> inputs = {product.input(0), weight};
  if (bias) inputs.push_back(bias);
  GE_ASSIGN_OR_RETURN(Node* const merged, rewriter.graph().Create({.op = product.op().name,
                                                                   .inputs = std::move(inputs),
                                                                   .attrs = product.attrs(),
                                                                   .name = product.name(),
                                                                   .loc = product.loc(),
                                                                   .types = {user.output()->type()},
                                                                   .after = product.control_inputs()},
                                                                  &user));
  GE_RETURN_IF_ERROR(rewriter.graph().ReplaceAllUses(user.output(), merged->output()));
  GE_RETURN_IF_ERROR(rewriter.graph().MoveControlEdges(&user, merged));
  // Takes the product along, whose only reader it was, and old weights that nobody reads any more.
  for (Node* n : std::vector<Node*>(product.control_inputs())) rewriter.graph().RemoveControlEdge(n, &product);
  return rewriter.EraseWithOrphans(user);
}

}  // namespace ge
