#include "ge_core/passes/fold/weight_compress_judge_pass.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "ge_core/base/str.h"
#include "ge_core/passes/fold/graph_optimize_utility.h"
#include "ge_core/passes/pass_def.h"

namespace ge {
namespace {

constexpr std::string_view kCompress = "_weight_compress", kRatio = "_weight_compress_ratio";
constexpr double kPays = 0.8;
// Nodes that are looked at between a weight and the constants it comes from.
constexpr size_t kMaxNodes = 64;

// Folds the producers of `node`'s weight, operands first.
Result<bool> FoldWeight(Node& node, const PassContext& context, Rewriter& rewriter) {
  bool changed = false, again = true;
  while (again) {
    again = false;
    std::vector<Node*> path = {node.input(1)->producer()};
    for (size_t i = 0; i < path.size() && path.size() < kMaxNodes; ++i)
      for (const Value* in : path[i]->inputs())
        if (in && std::find(path.begin(), path.end(), in->producer()) == path.end()) path.push_back(in->producer());
    std::sort(path.begin(), path.end(), [](const Node* a, const Node* b) { return a->Before(*b); });
    for (Node* n : path) {
      if (n->op().Has(kSkeleton)) continue;
      GE_ASSIGN_OR_RETURN(const bool folded, GraphOptimizeUtility::ConstantFolding(*n, context, rewriter));
      if (!folded) continue;
      changed = again = true;  // and nodes of `path` may be gone
      break;
    }
  }
  return changed;
}

}  // namespace

REG_PASS_OPTION(WeightCompressJudgePass)
    .Name("weight-compress-judge")
    .Alias("WeightCompressJudge")
    .Doc("Marks matrix products and convolutions whose constant weight would be worth compressing.")
    .Levels(OptLevel::kO1)
    .OnRequest()
    .Node([](const PassContext& c) -> std::unique_ptr<NodePass> { return std::make_unique<WeightCompressJudgePass>(c); });

std::span<const std::string_view> WeightCompressJudgePass::anchors() const {
  static constexpr std::string_view kAnchors[] = {"MatMulV2", "Conv2D"};
  return kAnchors;
}

double WeightCompressJudgePass::CompressedShare(const Tensor& weight) {
  const std::span<const std::byte> bytes = weight.bytes();
  const size_t width = SizeOf(weight.dtype()), count = width == 0 ? 0 : bytes.size() / width;
  if (count == 0) return 1;
  double bits = 0;
  for (size_t plane = 0; plane < width; ++plane) {
    std::array<size_t, 256> frequency{};
    for (size_t i = plane; i < bytes.size(); i += width) ++frequency[static_cast<size_t>(bytes[i])];
    for (size_t f : frequency) {
      if (f == 0) continue;
      bits -= static_cast<double>(f) * std::log2(static_cast<double>(f) / static_cast<double>(count));
      bits += 16;  // the value's entry in the coder's table
    }
  }
  return std::min(1.0, bits / (8 * static_cast<double>(bytes.size())));
}

std::string WeightCompressJudgePass::WhyNot(const Node& node, const Rewriter&) const {
  const Node& weight = *node.input(1)->producer();
  if (const Tensor* value = weight.const_value()) return value->defined() ? "" : "its weight is a constant without data in this file";
  return StrCat("its weight '", weight.name(), "' is not a constant");
}

Result<bool> WeightCompressJudgePass::Run(Node& node, Rewriter& rewriter) {
  GE_ASSIGN_OR_RETURN(bool changed, FoldWeight(node, context_, rewriter));
  const Tensor* weight = node.input(1)->producer()->const_value();
  if (!weight || !weight->defined()) return changed;
  const double share = CompressedShare(*weight);
  const std::pair<std::string_view, Attr> marks[] = {{kCompress, share <= kPays}, {kRatio, share}};
  for (const auto& [name, value] : marks) {
    const Attr* before = node.attrs().Find(name);
    if (before && *before == value) continue;
    rewriter.graph().SetAttr(&node, name, value);
    changed = true;
  }
  return changed;
}

}  // namespace ge
