#pragma once
// ConstantStage: which nodes of a graph run once per set of weights instead of once per call.
//
// A node is *known* if its value follows from weights and constants alone: pure, deterministic, static tensor types, no
// control edges, nothing written. A known node runs in the constant stage; its results are kept where a call reads them. It
// stays at the call (and runs in the stage as well, if the stage reads it) where a kept result would
//   - leave the graph: two calls must not hand out one tensor, or
//   - cost memory: larger than FoldOptions::max_growth_bytes and than its operands together. Packed layouts are exempt: they
//     exist to be made once.
// What a user keeps out of folding, by a mark or by name, stays at the call as well.
// Only the entry graph has a constant stage: a node of a branch might not run at all.
#include <string>
#include <vector>

#include "ge_core/ir/graph.h"
#include "ge_core/passes/fold/fold_options.h"

namespace ge {

class GE_API ConstantStage {
 public:
  // Two sweeps over the graph; the answers hold until it is changed.
  explicit ConstantStage(Graph& graph, FoldOptions options = {});

  // The value of the node follows from weights and constants alone. Constants and weights themselves are known.
  bool Known(const Node& node) const { return Flags(node) & kKnown; }
  // The constant stage runs the node.
  bool InStage(const Node& node) const { return Flags(node) & kStage; }
  // Each call runs the node. A node may run in both.
  bool AtCall(const Node& node) const { return Flags(node) & kCall; }
  // The first rule that keeps the node at the call; empty for a node that is not, and for the skeleton.
  std::string WhyAtCall(const Node& node) const;

 private:
  enum : uint8_t { kKnown = 1, kStage = 2, kCall = 4 };
  enum class Why : uint8_t {
    kNone,
    kSubgraph,
    kControlFlow,
    kImpure,
    kKept,
    kControlEdges,
    kNoTensor,
    kOperand,
    kWritten,
    kUnused,
    kEscapes,
    kSize
  };
  struct Row {
    uint8_t flags = 0;
    Why why = Why::kNone;
    int port = 0;  // the operand or result that the rule is about
  };
  // A node made after the sweeps has none.
  uint8_t Flags(const Node& node) const {
    const auto id = static_cast<size_t>(node.id());
    return id < rows_.size() ? rows_[id].flags : 0;
  }
  Row& At(const Node& node) { return rows_[static_cast<size_t>(node.id())]; }
  std::vector<Row> rows_;  // by Node::id()
  FoldOptions options_;
};

}  // namespace ge
