#pragma once
// GeLocalOpsKernelBuilder: what memory planning must know about a node of the local engine, and whether it becomes a task.
#include "ge_core/engine/ops_kernel_builder.h"

namespace ge::local {

class GeLocalOpsKernelBuilder final : public OpsKernelBuilder {
 public:
  // Skipped where a type of the node has an open shape. Sizes: output_size.h. Output 0 of Bitcast, Flatten, ExpandDims, ReFormat,
  // Squeeze, Unsqueeze and their versions reuses input 0; of Reshape not, for that is the planner's own decision.
  Result<OpRunningParam> CalcOpRunningParam(const Graph& graph, const Node& node) const override;
  // StackPop: `_depend_compute`, its shape is known when it has run. A node with an open shape: `_no_task`. Others: what OpFactory
  // has for the type; the operators that passes remove fail here (ge_deleted_op.h).
  Status GenerateTask(Graph& graph, Node& node, TaskContext& context) const override;
};

}  // namespace ge::local
