#pragma once
// GraphPass: one transformation of a graph. The PassManager alone orders, times, counts, verifies and switches passes off.
#include <string_view>

#include "ge_core/base/status.h"
#include "ge_core/ir/graph.h"

namespace ge {

class GE_API GraphPass {
 public:
  GraphPass() = default;
  GraphPass(const GraphPass&) = delete;
  GraphPass& operator=(const GraphPass&) = delete;
  virtual ~GraphPass();

  // The name in options, reports and dumps, in kebab-case: "constant-folding".
  virtual std::string_view name() const = 0;
  // Transforms `graph`; the PassManager calls it for every graph of a module, the entry graph first. True exactly if
  // something changed. "Does not apply" is no error: it is false; an error means that the graph could not be kept valid,
  // and fails the compile.
  virtual Result<bool> Run(Graph& graph) = 0;
};

}  // namespace ge
