#include "ge_core/passes/fold/decompose_large_const_pass.h"

#include <algorithm>

#include "ge_core/base/str.h"
#include "ge_core/passes/fold/folding_pass.h"
#include "ge_core/passes/pass_context.h"
#include "ge_core/passes/pass_def.h"

namespace ge {
namespace {

// More would be a mistake in the option, not a need.
constexpr int64_t kMaxParts = 1024;

}  // namespace

REG_PASS_OPTION(DecomposeLargeConstPass)
    .Name("decompose-large-const")
    .Doc("Splits constants over ge.const.maxBytes.")
    .Levels(OptLevel::kO1)
    .Node([](const PassContext& c) -> std::unique_ptr<NodePass> { return std::make_unique<DecomposeLargeConstPass>(c.fold); });

std::span<const std::string_view> DecomposeLargeConstPass::anchors() const {
  static constexpr std::string_view kAnchors[] = {"Const"};
  return kAnchors;
}

bool DecomposeLargeConstPass::IsLarge(const Node& node) const {
  return fold_.max_const_bytes > 0 && node.const_value() && node.output()->type().StaticBytes() > fold_.max_const_bytes;
}

std::string DecomposeLargeConstPass::Refusal(const Node& node, const Rewriter& rewriter) const {
  const ValueType& type = node.output()->type();
  if (!node.const_value()->defined()) return "it is without data in this file";
  if (!IsRowMajor(type)) return "its elements do not lie row by row";
  if (rewriter.aliases().MayBeWritten(node.output())) return "it may be written";
  if (type.rank() == 0) return "a scalar cannot be split";
  // Shapes and axes are read at compile time, as constants.
  if (type.rank() == 1 && IsIntegral(type.dtype())) return "a vector of integers may be a shape";
  const int64_t rows = type.shape()[0].value();
  if (rows < 2) return StrCat("a single row of ", type.StaticBytes(), " bytes cannot be split");
  if (type.StaticBytes() / kMaxParts > fold_.max_const_bytes)
    return StrCat(type.StaticBytes(), " bytes would need more than ", kMaxParts, " parts of ", fold_.max_const_bytes,
                  " (ge.const.maxBytes)");
  if (rows > kMaxParts && type.StaticBytes() / rows > fold_.max_const_bytes)
    return StrCat("it has more than ", kMaxParts, " rows that are too large each");
  return {};
}

std::string DecomposeLargeConstPass::WhyNot(const Node& node, const Rewriter& rewriter) const {
  return IsLarge(node) ? Refusal(node, rewriter) : std::string();
}

Result<bool> DecomposeLargeConstPass::Run(Node& node, Rewriter& rewriter) {
  if (!IsLarge(node) || node.unused() || !Refusal(node, rewriter).empty()) return false;
  Graph& graph = rewriter.graph();
  const auto whole = std::make_shared<const Tensor>(*node.const_value());
  const ValueType type = node.output()->type();
  const int64_t rows = type.shape()[0].value(), row_bytes = type.StaticBytes() / rows;
  const int64_t step = std::max<int64_t>(1, fold_.max_const_bytes / row_bytes);
  std::vector<Value*> parts;
  for (int64_t at = 0; at < rows; at += step) {
    Shape shape = type.shape();
    shape[0] = Dim(std::min(step, rows - at));
    Tensor part(ValueType::Tensor(type.dtype(), std::move(shape)), whole, whole->bytes().data() + at * row_bytes);
    Node* constant = graph.CreateConst(std::move(part), &node, node.name());
    graph.SetLoc(constant, node.loc());
    for (std::string_view mark : {kFromFoldingMark, kStreamLabel})
      if (const Attr* a = node.attrs().Find(mark)) graph.SetAttr(constant, mark, *a);
    parts.push_back(constant->output());
  }
  GE_ASSIGN_OR_RETURN(Node* const joined,
                      rewriter.Create("ConcatV2", std::move(parts), {{std::string(kNoNeedFoldMark), true}}, node, {type}));
  GE_RETURN_IF_ERROR(rewriter.Replace(node, *joined));
  return true;
}

}  // namespace ge
