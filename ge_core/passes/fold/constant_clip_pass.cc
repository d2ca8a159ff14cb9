#include "ge_core/passes/fold/constant_clip_pass.h"

#include <cmath>

#include "ge_core/base/str.h"
#include "ge_core/passes/fold/folding_pass.h"
#include "ge_core/passes/pass_context.h"
#include "ge_core/passes/pass_def.h"

namespace ge {
namespace {

// The largest finite value of a type that is clipped to, or 0.
double Largest(DType dtype) {
  switch (dtype) {
    case DType::kF16: return 65504.0;
    case DType::kBF16: return 0x1.fep127;
    default: return 0;
  }
}

struct Span {
  bool outside = false, infinite = false;
};

template <typename T>
Span Look(const Tensor& t, double largest) {
  Span span;
  for (int64_t i = 0; i < t.num_elements(); ++i) {
    const double v = std::abs(static_cast<double>(t.data<T>()[i]));
    span.infinite |= std::isinf(v);
    span.outside |= v > largest && !std::isinf(v);
  }
  return span;
}

// The constant that `cast` narrows, or null.
const Tensor* Narrowed(const Node& cast) {
  const Value& x = *cast.input(0);
  const DType* to = cast.attrs().Get<DType>("dst_type");
  const Tensor* value = x.producer()->const_value();
  if (!value || !to || Largest(*to) == 0) return nullptr;
  return value->dtype() == DType::kF32 || value->dtype() == DType::kF64 ? value : nullptr;
}

}  // namespace

REG_PASS_OPTION(ConstantClipPass)
    .Name("constant-clip")
    .Doc("Clips constants that a cast to f16 or bf16 would turn into infinities.")
    .Levels(OptLevel::kO3)
    .OnRequest()
    .Node([](const PassContext& c) -> std::unique_ptr<NodePass> { return std::make_unique<ConstantClipPass>(c.fold); });

std::span<const std::string_view> ConstantClipPass::anchors() const {
  static constexpr std::string_view kAnchors[] = {"Cast"};
  return kAnchors;
}

std::string ConstantClipPass::Refusal(const Node& node, const Rewriter& rewriter) const {
  if (std::string kept = KeptByUser(node, fold_); !kept.empty()) return kept;
  if (rewriter.aliases().MayBeWritten(node.input(0))) return "its constant may be written by another node";
  const Tensor& value = *Narrowed(node);
  if (!value.defined()) return "its constant is without data in this file";
  const double largest = Largest(*node.attrs().Get<DType>("dst_type"));
  const Span span = value.dtype() == DType::kF32 ? Look<float>(value, largest) : Look<double>(value, largest);
  if (!span.outside) return "its constant has no finite value that the cast would make infinite";
  if (span.infinite) return "its constant holds infinities, which clipping would lose";
  return {};
}

std::string ConstantClipPass::WhyNot(const Node& node, const Rewriter& rewriter) const {
  return Narrowed(node) ? Refusal(node, rewriter) : std::string();
}

Result<bool> ConstantClipPass::Run(Node& node, Rewriter& rewriter) {
  if (!Narrowed(node) || !Refusal(node, rewriter).empty()) return false;
  const DType from = node.input(0)->type().dtype();
  const double largest = Largest(*node.attrs().Get<DType>("dst_type"));
  const auto scalar = [&](double v) {
    Tensor t(ValueType::Tensor(from, {}));
    if (from == DType::kF32)
      *t.mutable_data<float>() = static_cast<float>(v);
    else
      *t.mutable_data<double>() = v;
    return rewriter.graph().CreateConst(std::move(t), &node, node.name())->output();
  };
  GE_ASSIGN_OR_RETURN(Node* const low, rewriter.Create("Maximum", {node.input(0), scalar(-largest)}, {}, node));
  GE_ASSIGN_OR_RETURN(Node* const high, rewriter.Create("Minimum", {low->output(), scalar(largest)}, {}, node));
  GE_RETURN_IF_ERROR(rewriter.graph().SetInput(&node, 0, high->output()));
  return true;
}

}  // namespace ge
