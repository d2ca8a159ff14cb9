#pragma once
// Built-in host kernels: the reference implementation of an operator on constants. Used by constant folding's second
// level, by tests, and by the Python-free runtime. Three interfaces, as seed 000 §4.5.1 names them:
//   Compute          outputs from input values           (ConstantFoldingPass)
//   ComputeFromNode  outputs from the node's types alone (DimensionComputePass: Shape, Rank, Size)
//   Adjust           changes the node only               (DimensionAdjustPass: ExpandDims and friends)
#include "ge_core/ir/graph.h"

namespace ge {

struct HostKernelContext {
  const Node& node;
  std::span<const Tensor* const> inputs;  // contiguous; null where an optional input is absent
  std::span<Tensor> outputs;              // allocated with the node's output types, zero-filled, contiguous
};

// A row has Compute or ComputeFromNode (or both: the same value), and Adjust if the operator has that meaning.
//
// Contract of Adjust(graph, node). It completes on the host what inference can say about the node's result, and answers
// whether the node is then a pure re-labelling: its result is the data of input 0, row-major and unchanged, under another
// shape. It may set the type of the node's own output 0 and touches nothing else: no operand, no user, no other node.
//   OK               output 0 has a static, row-major type with as many elements as input 0, which is static and row-major
//                    too. The caller may hand input 0's data to the users of output 0.
//   Unimplemented    it cannot say so: a shape is unknown or symbolic, a layout is not row-major or still open, the axes
//                    are no constant. The graph is unchanged.
//   anything else    the node is wrong (axis out of range, element counts that differ). The graph is unchanged.
struct HostKernel {
  std::string_view op;
  Status (*compute)(const HostKernelContext&) = nullptr;
  Status (*compute_from_node)(const Node&, std::span<Tensor> outputs) = nullptr;
  Status (*adjust)(Graph&, Node&) = nullptr;
};

// Builds a row from a class that has any of the static members Compute, ComputeFromNode, Adjust.
template <typename K>
constexpr HostKernel MakeHostKernel(std::string_view op) {
  HostKernel k;
  k.op = op;
  if constexpr (requires { &K::Compute; }) k.compute = &K::Compute;
  if constexpr (requires { &K::ComputeFromNode; }) k.compute_from_node = &K::ComputeFromNode;
  if constexpr (requires { &K::Adjust; }) k.adjust = &K::Adjust;
  return k;
}

// Immutable op type -> HostKernel table.
class GE_API KernelFactory {
 public:
  explicit KernelFactory(std::vector<const HostKernel*> kernels);  // a duplicate is a GE_CHECK failure
  const HostKernel* Find(std::string_view op) const;
  std::span<const HostKernel* const> kernels() const { return kernels_; }

 private:
  std::vector<const HostKernel*> kernels_;
};

}  // namespace ge

// Defines the constant-initialised row of operator Type. One per op that has a kernel; see host_kernels/ops.def.
#define REGISTER_COMPUTE_NODE_KERNEL(Type, KernelClass) \
  extern const ::ge::HostKernel ge_kernel_##Type;       \
  constinit const ::ge::HostKernel ge_kernel_##Type = ::ge::MakeHostKernel<KernelClass>(#Type)
