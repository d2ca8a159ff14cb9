#include "ge_core/passes/cleanup/cleanup_util.h"

#include <algorithm>

#include "ge_core/base/str.h"

namespace ge {

namespace {

constexpr std::string_view kRelabelling[] = {"Reshape",     "Squeeze",     "SqueezeV2",  "SqueezeV3", "Unsqueeze",
                                             "UnsqueezeV2", "UnsqueezeV3", "ExpandDims", "FlattenV2"};

}  // namespace

std::span<const std::string_view> RelabellingOps() { return kRelabelling; }

bool Relabels(const Node& node) {
  return node.op().Has(kView) &&
         std::any_of(std::begin(kRelabelling), std::end(kRelabelling), [&](std::string_view op) { return node.Is(op); });
}

bool HasUnknownExtent(const ValueType& type) {
  return type.IsTensor() && std::any_of(type.shape().begin(), type.shape().end(), [](const Dim& d) { return d.IsUnknown(); });
}

std::string WhyNotReadPast(const Value& mid, const Value& source, const Rewriter& rewriter, const FoldOptions& fold) {
  const Node& producer = *mid.producer();
  if (std::string kept = KeptByUser(producer, fold); !kept.empty()) return StrCat("of '", producer.name(), "' ", kept);
  if (!producer.control_inputs().empty()) return StrCat("'", producer.name(), "' waits for other nodes");
  if (rewriter.aliases().MayBeWritten(&mid) || rewriter.aliases().MayBeWritten(&source))
    return StrCat("what '", producer.name(), "' reads or gives may be written");
  return {};
}

Status EraseIfOrphaned(Node& producer, Rewriter& rewriter) {
  if (!producer.unused() || !producer.control_outputs().empty() || !producer.pure()) return {};
  return rewriter.EraseWithOrphans(producer);
}

}  // namespace ge
