#pragma once
// WeightCompressJudgePass: says of each MatMulV2 and Conv2D whether storing its constant weight compressed would pay. First
// folds what leads to the weight (GraphOptimizeUtility); then estimates, from how often each byte value occurs in each byte
// of an element, what an entropy coder would reach. Only marks:
//   _weight_compress        true where at least a fifth would be saved
//   _weight_compress_ratio  estimated compressed size as a share of the size
// On request. Seed 000 section 4.7.
#include "ge_core/passes/pass.h"
#include "ge_core/passes/pass_context.h"

namespace ge {

class GE_API WeightCompressJudgePass final : public NodePass {
 public:
  explicit WeightCompressJudgePass(const PassContext& context) : context_(context) {}
  std::string_view name() const override { return "weight-compress-judge"; }
  std::span<const std::string_view> anchors() const override;
  Result<bool> Run(Node& node, Rewriter& rewriter) override;
  std::string WhyNot(const Node& node, const Rewriter& rewriter) const override;

  // Estimated compressed size of `weight` as a share of its size, the coder's tables included; at most 1.
  static double CompressedShare(const Tensor& weight);

 private:
  PassContext context_;
};

}  // namespace ge
