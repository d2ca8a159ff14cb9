#pragma once
// The ATen engine: runs AtenCall nodes and, through their mapping rows, every operator that has one, with eager's own
// kernels. Also the host library that constant folding opens (libconstant_folding_ops.so).
#include "ge_core/ir/aten_mapping.h"
#include "host_kernels/aten/call.h"

namespace ge::aten {

// The call that a node stands for, and where its results go.
struct NodeCall {
  PreparedCall call;
  std::vector<int> outputs;  // per result: the node's output index, or -1
  // A reference node without an in-place kernel, SelectScatter say: `call` gives the view of operand 0 that is to be written with
  // this operand, and the node's result is operand 0. -1: none.
  int copy_from = -1;
};
// Fails with Unimplemented and the reason where no row fits.
Result<NodeCall> MakeNodeCall(const Node& node, const AtenMappings& mappings);

class GE_API AtenEngine final : public Engine {
 public:
  // `mappings` outlives the engine.
  explicit AtenEngine(const AtenMappings& mappings) : mappings_(mappings) {}
  std::string_view name() const override { return "aten"; }
  Support Supports(const Node& node) const override;
  Result<std::unique_ptr<Executable>> Load(const Node& node) const override;
  bool allocates_outputs() const override { return true; }

 private:
  const AtenMappings& mappings_;
};

}  // namespace ge::aten
