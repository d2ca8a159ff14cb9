#pragma once
// NoOp: operators that compile to nothing. Inputs, constants and variables are there before the run; control flow and data flow
// belong to the runtime; views share their operand's memory.
#include "ge_core/engine/local/op_factory.h"

namespace ge::local {

class NoOp final : public Op {
 public:
  Status Run(const Node&, TaskContext&) const override { return {}; }
};

}  // namespace ge::local
