#pragma once
// Region: what the JIT engine compiles. Element-wise instructions over one iteration space, read from a FusedRegion
// node's subgraph or from a single element-wise node (a region of one instruction).
#include "ge_core/base/str.h"
#include "ge_core/ir/engine.h"

namespace ge::jit {

struct OpRow;

// What one region may have at most: larger ones gain nothing (values spill), and the executor's arrays are fixed.
inline constexpr size_t kMaxInstructions = 256, kMaxOperands = 64, kMaxAxes = 16;

// In registers a bool is one bit, in memory one byte of 0 or 1.
enum class ElementType : uint8_t { kF32, kBool };

struct Instruction {
  const OpRow* op;
  std::vector<int> operands;       // value numbers: inputs first, then one per instruction
  std::vector<double> parameters;  // attributes, compiled in as constants
  bool flag = false;               // the row's variant (GeluV2: tanh approximation)
};

struct RegionInput {
  int slot;  // input of the node
  ElementType type;
  std::vector<int64_t> strides;  // in elements, per collapsed dim; 0 = broadcast
};

struct Region {
  std::vector<int64_t> dims;  // collapsed: adjacent axes that every operand walks alike are one; the last is innermost
  std::vector<RegionInput> inputs;
  std::vector<Instruction> instructions;
  std::vector<int> outputs;  // value numbers, each an instruction's; dense in iteration order
  int64_t num_elements = 1;

  int num_values() const { return static_cast<int>(inputs.size() + instructions.size()); }
  ElementType TypeOf(int value) const;
  // True if input i is one element for a whole inner row.
  bool IsRowConstant(int input) const { return inputs[static_cast<size_t>(input)].strides.back() == 0; }
  // The text of everything that code depends on: equal keys, equal machine code. Extents are not part of it.
  std::string Key() const;
};

// Fails with Unimplemented and the reason where the JIT cannot run the node.
Result<Region> ReadRegion(const Node& node);

}  // namespace ge::jit
