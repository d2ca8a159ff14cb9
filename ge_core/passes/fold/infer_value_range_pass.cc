#include "ge_core/passes/fold/infer_value_range_pass.h"

#include <algorithm>

#include "ge_core/base/str.h"
#include "ge_core/passes/pass_def.h"

namespace ge {
namespace {

constexpr int64_t kMaxElements = 64;
constexpr std::string_view kFromTypes[] = {"Shape", "ShapeN", "Size", "Rank"};

std::unique_ptr<NodePass> Make(const PassContext& c) {
  if (!c.evaluator || !c.evaluator->kernels() || !c.potential_consts) return nullptr;
  return std::make_unique<InferValueRangePass>(c);
}

bool IsTracked(const ValueType& t) { return t.IsTensor() && FullRange(t.dtype()) && t.IsStatic() && t.StaticNumElements() <= kMaxElements; }

// An extent, or a number of elements, stored as `dtype`. Host sizes fit i64; i32 may have wrapped around.
ValueRange SizeRange(const Dim& d, DType dtype) {
  const ValueRange full = *FullRange(dtype);
  if (d.IsConst() && d.value() <= full.hi) return {d.value(), d.value()};
  return dtype == DType::kI64 ? ValueRange{0, full.hi} : full;
}

std::vector<InferValueRangePass::Ranges> InferFromTypes(const Node& node) {
  std::vector<InferValueRangePass::Ranges> out(static_cast<size_t>(node.num_outputs()));
  for (int o = 0; o < node.num_outputs(); ++o) {
    const Value* x = o < node.num_inputs() ? node.input(o) : nullptr;
    if (!x || !x->type().IsTensor()) return {};
    const DType dtype = node.output(o)->type().dtype();
    auto& ranges = out[static_cast<size_t>(o)];
    if (node.Is("Rank"))
      ranges.push_back({x->type().rank(), x->type().rank()});
    else if (node.Is("Size"))
      ranges.push_back(SizeRange(x->type().NumElements(), dtype));
    else
      for (const Dim& d : x->type().shape()) ranges.push_back(SizeRange(d, dtype));
    if (static_cast<int64_t>(ranges.size()) != node.output(o)->type().StaticNumElements()) return {};
  }
  return out;
}

bool IsExact(const InferValueRangePass::Ranges& ranges) {
  for (const ValueRange& r : ranges)
    if (!r.IsExact()) return false;
  return true;
}

// Where element `i` of a row-major tensor of shape `to` comes from in one of shape `from`, which broadcasts to it.
size_t SourceIndex(size_t i, const Shape& to, const Shape& from) {
  size_t index = 0, stride = 1;
  for (size_t k = 0; k < from.size(); ++k) {  // from the last axis on
    const auto extent = static_cast<size_t>(to[to.size() - 1 - k].value()), own = static_cast<size_t>(from[from.size() - 1 - k].value());
    if (own != 1) index += i % extent * stride;
    stride *= own;
    i /= extent;
  }
  return index;
}

}  // namespace

REG_PASS_OPTION(InferValueRangePass)
    .Name("infer-value-range")
    .Doc("Finds integers that can have one value only, from the bounds of their operands.")
    .Levels(OptLevel::kO1)
    .SwitchOpt("ge.oo.constantFolding")
    .Node(&Make);

std::span<const std::string_view> InferValueRangePass::anchors() const {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> out(std::begin(kFromTypes), std::end(kFromTypes));
    for (const RangeRule& r : RangeRules()) out.push_back(r.op);
    return out;
  }();
  return names;
}

std::optional<InferValueRangePass::Ranges> InferValueRangePass::Operand(const Value& value, const Rewriter& rewriter) const {
  if (!IsTracked(value.type())) return std::nullopt;
  if (!rewriter.aliases().MayBeWritten(&value)) {
    const Tensor* t = context_.potential_consts->Value(&value);
    if (t && SameLogicalType(t->type(), value.type())) return RangesOf(*t);
    if (auto it = known_.find(value.id()); it != known_.end() && graph_ == &value.producer()->graph()) return it->second;
  }
  return Ranges(static_cast<size_t>(value.type().StaticNumElements()), *FullRange(value.type().dtype()));
}

std::vector<InferValueRangePass::Ranges> InferValueRangePass::InferElements(const Node& node, const RangeRule& rule,
                                                                            const Rewriter& rewriter) const {
  const ValueType& y = node.output()->type();
  const Attr scalar = node.attr("scalar");
  std::vector<Ranges> operands;
  std::vector<const Shape*> shapes;
  static const Shape kScalar;
  for (int i = 0; i < std::max(node.num_inputs(), static_cast<int>(node.op().num_inputs)); ++i) {
    if (const Value* in = i < node.num_inputs() ? node.input(i) : nullptr) {
      std::optional<Ranges> ranges = Operand(*in, rewriter);
      if (!ranges) return {};
      operands.push_back(*std::move(ranges));
      shapes.push_back(&in->type().shape());
      continue;
    }
    // The attribute stands for the absent operand. It is computed in the dtype of the present ones, for bool in i64.
    const int64_t* number = scalar.Get<int64_t>();
    if (!number) return {};
    for (const Value* in : node.inputs()) {
      if (!in || (in->type().dtype() == DType::kBool && (node.op().inputs[0].name == "condition" || y.dtype() == DType::kI64))) continue;
      const std::optional<ValueRange> full = FullRange(in->type().dtype());
      if (!full || *number < full->lo || *number > full->hi) return {};
    }
    operands.push_back({ValueRange{*number, *number}});
    shapes.push_back(&kScalar);
  }
  const auto count = static_cast<size_t>(y.StaticNumElements());
  Ranges out;
  std::vector<ValueRange> element(operands.size());
  for (size_t i = 0; i < count; ++i) {
    for (size_t k = 0; k < operands.size(); ++k) element[k] = operands[k][SourceIndex(i, y.shape(), *shapes[k])];
    out.push_back(rule.element(element, y.dtype()).value_or(*FullRange(y.dtype())));
  }
  return {std::move(out)};
}

std::vector<InferValueRangePass::Ranges> InferValueRangePass::InferMove(const Node& node, const RangeRule& rule,
                                                                        const Rewriter& rewriter) const {
  // The kernel itself moves the bounds: first the lower ones, then the upper ones.
  std::vector<Tensor> low, high;
  bool known = node.num_inputs() == 0;
  for (int i = 0; i < node.num_inputs(); ++i) {
    const Value* in = node.input(i);
    low.emplace_back(), high.emplace_back();
    if (!in) continue;
    const std::optional<Ranges> ranges = Operand(*in, rewriter);
    if (!ranges) return {};
    const bool moves = rule.moves >> std::min(i, 31) & 1;
    if (!moves && !IsExact(*ranges)) return {};
    const ValueRange full = *FullRange(in->type().dtype());
    for (const ValueRange& r : *ranges) known |= moves && !(r == full);
    low.back() = EndsOf(in->type(), *ranges, false);
    high.back() = EndsOf(in->type(), *ranges, true);
  }
  if (!known) return {};
  std::vector<Ranges> out;
  const auto run = [&](const std::vector<Tensor>& tensors) {
    std::vector<const Tensor*> inputs;
    for (const Tensor& t : tensors) inputs.push_back(t.defined() ? &t : nullptr);
    return context_.evaluator->RunBuiltInKernel(node, inputs);
  };
  const auto lower = run(low), upper = run(high);
  if (!lower.ok() || !upper.ok()) return {};
  for (int o = 0; o < node.num_outputs(); ++o) {
    const Ranges lo = RangesOf((*lower)[static_cast<size_t>(o)]), hi = RangesOf((*upper)[static_cast<size_t>(o)]);
    Ranges& ranges = out.emplace_back();
    for (size_t i = 0; i < lo.size(); ++i) ranges.push_back({lo[i].lo, hi[i].hi});
  }
  return out;
}

std::vector<InferValueRangePass::Ranges> InferValueRangePass::Infer(const Node& node, const Rewriter& rewriter) const {
  if (node.num_outputs() == 0) return {};
  for (int o = 0; o < node.num_outputs(); ++o)
    if (!IsTracked(node.output(o)->type())) return {};
  for (std::string_view op : kFromTypes)
    if (node.Is(op)) return InferFromTypes(node);
  const RangeRule* rule = FindRangeRule(node.op().name);
  if (!rule) return {};
  return rule->element ? InferElements(node, *rule, rewriter) : InferMove(node, *rule, rewriter);
}

std::string InferValueRangePass::WhyNot(const Node& node, const Rewriter& rewriter) const {
  const std::vector<Ranges> results = Infer(node, rewriter);
  for (const Ranges& ranges : results)
    for (const ValueRange& r : ranges)
      if (!r.IsExact()) return StrCat("an element may be anything from ", r.lo, " to ", r.hi);
  if (results.empty()) return {};
  if (std::string kept = KeptByUser(node, context_.fold); !kept.empty()) return kept;
  return WhyNotConstant(node, rewriter.aliases());
}

Result<bool> InferValueRangePass::Run(Node& node, Rewriter& rewriter) {
  if (graph_ != &node.graph() || graph_name_ != node.graph().name()) {
    known_.clear();
    graph_ = &node.graph();
    graph_name_ = graph_->name();
  }
  std::vector<Ranges> results = Infer(node, rewriter);
  bool exact = !results.empty() && !node.unused();
  for (size_t o = 0; o < results.size(); ++o) {
    exact = exact && IsExact(results[o]);
    known_.insert_or_assign(node.output(static_cast<int>(o))->id(), results[o]);
  }
  if (!exact || context_.potential_consts->Find(node) || !KeptByUser(node, context_.fold).empty() ||
      !WhyNotConstant(node, rewriter.aliases()).empty())
    return false;
  PotentialConsts::Mark mark{.owner = std::string(name()), .outputs = {}, .values = {}};
  for (int o = 0; o < node.num_outputs(); ++o) {
    mark.outputs.push_back(o);
    mark.values.push_back(EndsOf(node.output(o)->type(), results[static_cast<size_t>(o)], false));
  }
  context_.potential_consts->Set(node, std::move(mark));
  return false;  // a mark is no change of the graph
}

}  // namespace ge
