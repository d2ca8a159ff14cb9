#pragma once
// Evaluate: runs a whole module on the host, node by node. Slow and simple on purpose: the golden test runner and the
// property tests compare values before and after a pass with it. Not the runtime (npu_runtime is).
#include <map>
#include <span>
#include <vector>

#include "ge_core/eval/host_cpu_engine.h"

namespace ge {

struct EvalOptions {
  int64_t max_steps = 10'000'000;  // nodes run, over all loops: a While that never ends is an error, not a hang
  int max_depth = 64;              // nested subgraphs
};

struct EvalResult {
  std::vector<Tensor> outputs;
  // Inputs that the graph writes in place (Assign on a Data node), with the value they have afterwards.
  std::map<int, Tensor> written_inputs;
};

// Runs the entry graph on `inputs`, one per Data node. A sym value is a tensor without axes of the sym's dtype. Shapes
// that the graph leaves open are inferred from the values at hand; symbols are bound by the shapes of the inputs.
// Fails with Unimplemented on a node for which no host kernel exists (fallback nodes without level 1, opaque values,
// symbolic arithmetic whose expression the type does not record), naming the node.
GE_API Result<EvalResult> Evaluate(const Module& module, std::span<const Tensor> inputs, const HostCpuEngine& engine,
                                   const EvalOptions& options = {});

}  // namespace ge
