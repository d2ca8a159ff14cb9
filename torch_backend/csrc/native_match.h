#pragma once
// From an ATen call to the AscendIR operator whose mapping row fits.
#include <ATen/core/dispatch/Dispatcher.h>

#include <map>

#include "ge_core/ir/aten_mapping.h"
#include "torch_backend/csrc/fx_values.h"

namespace ge::torch_backend {

// One ATen call as the importer reads it. `args` are in schema order, defaults filled in; InputRefs index `refs`.
struct AtenInvocation {
  const c10::FunctionSchema& schema;
  std::span<const Attr> args;
  std::span<Value* const> refs;
  std::span<const ValueType> types;   // per result (flattened), from the metadata
  std::span<const bool> result_used;  // per result
  std::string name, loc;
};

// Shares the constants that shape operands become within one graph.
class IntConstants {
 public:
  explicit IntConstants(Graph& graph) : graph_(graph) {}
  Value* Get(const std::vector<int64_t>& values);

 private:
  Graph& graph_;
  std::map<std::vector<int64_t>, Value*> made_;
};

struct NativeMatch {
  Node* node = nullptr;      // null: no row fits
  std::vector<int> outputs;  // per result: output of the node, or -1
  std::string reasons;       // why rows did not fit
  std::string mismatch;      // inference contradicted PyTorch's metadata: a fault of ours, reported
};
NativeMatch MatchNative(const AtenInvocation& call, std::span<const AtenMapping* const> rows, Graph& graph, IntConstants& constants);

}  // namespace ge::torch_backend
