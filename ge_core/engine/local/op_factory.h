#pragma once
// OpFactory: the operator types of the local engine, each with what stands for its work at compile time. The rows are constant
// tables, in no_op.cc and ge_deleted_op.cc; nothing registers itself at load.
#include <memory>
#include <span>

#include "ge_core/engine/ops_kernel_builder.h"

namespace ge::local {

// What the engine does with a node of one type when its task is generated.
class Op {
 public:
  virtual ~Op() = default;
  // OK: the node costs nothing at run time, or was handed on to the engines after this one (TaskContext::HandOn). A failure says
  // why the node must not be in a compiled graph.
  virtual Status Run(const Node& node, TaskContext& context) const = 0;
};

struct OpCreator {
  std::string_view type;
  std::unique_ptr<Op> (*make)();
};

// One row: REGISTER_OP_CREATOR(Reshape, NoOp).
#define REGISTER_OP_CREATOR(Type, Class) \
  ::ge::local::OpCreator { #Type, []() -> std::unique_ptr<::ge::local::Op> { return std::make_unique<Class>(); } }

class OpFactory {
 public:
  // Null: the engine has no such operator.
  static std::unique_ptr<Op> Create(std::string_view type);
  // Every type, those that compile to nothing first, in the order of the tables.
  static std::vector<std::string_view> Types();
};

std::span<const OpCreator> NoOpCreators();
std::span<const OpCreator> GeDeletedOpCreators();

}  // namespace ge::local
