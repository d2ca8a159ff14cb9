#pragma once
// The two kinds of passes. A GraphPass transforms a whole graph; a NodePass is one rule that looks at one node, and all
// rules that stand next to each other in the pipeline are driven by one work list. The PassManager alone orders, times,
// counts, verifies and switches passes off.
#include <span>
#include <string>
#include <string_view>

#include "ge_core/base/status.h"
#include "ge_core/ir/graph.h"

namespace ge {

class Rewriter;

class GE_API GraphPass {
 public:
  GraphPass() = default;
  GraphPass(const GraphPass&) = delete;
  GraphPass& operator=(const GraphPass&) = delete;
  virtual ~GraphPass();

  // The name in options, reports and dumps, in kebab-case: "dead-code-elimination".
  virtual std::string_view name() const = 0;
  // Transforms `graph`; the PassManager calls it for every graph of a module, the entry graph first. True exactly if
  // something changed. "Does not apply" is no error: it is false; an error means that the graph could not be kept valid,
  // and fails the compile.
  virtual Result<bool> Run(Graph& graph) = 0;
};

class GE_API NodePass {
 public:
  NodePass() = default;
  NodePass(const NodePass&) = delete;
  NodePass& operator=(const NodePass&) = delete;
  virtual ~NodePass();

  virtual std::string_view name() const = 0;
  // The operators at which the rule is tried: elsewhere it costs nothing. Empty: every node outside the skeleton.
  virtual std::span<const std::string_view> anchors() const { return {}; }
  // Tries the rule at `node`, which it may erase. True exactly if something changed; errors as for GraphPass. What a
  // change touches (users, producers, new nodes) is put on the work list by the driver.
  virtual Result<bool> Run(Node& node, Rewriter& rewriter) = 0;
  // Called when the work list is empty; a change fills it again.
  virtual Result<bool> Finish(Graph&, Rewriter&) { return false; }
  // Why the rule leaves `node` as it is: the first condition that fails, in plain words; empty where the rule has nothing
  // to say about such a node. Asked for reports only, so Run and WhyNot should share the code that decides.
  virtual std::string WhyNot(const Node&, const Rewriter&) const { return {}; }
};

}  // namespace ge
