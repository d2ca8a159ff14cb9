#pragma once
// The element-wise operators that the JIT engine compiles: one row each.
#include <span>

#include "host_kernels/jit/region.h"

namespace llvm {
class Value;
}

namespace ge::jit {

class Emitter;

// What an emit function sees.
struct EmitArgs {
  Emitter& e;
  std::span<llvm::Value* const> in;
  const Instruction& instruction;
  double parameter(size_t i) const { return instruction.parameters[i]; }
};

struct OpRow {
  std::string_view op;
  std::string_view signature;   // "ff:f" = two f32 operands, f32 result; b = bool
  std::string_view parameters;  // names of float attributes, comma separated, read into Instruction::parameters
  llvm::Value* (*emit)(const EmitArgs&);
  // Reads further attributes into the instruction; the reason of a refusal, or empty. Null: none to read.
  std::string (*read)(const Node&, Instruction&) = nullptr;
  // The number that stands for operand i where that is absent; nullopt: refused. Null: the attribute `scalar`.
  std::optional<double> (*absent)(const Node&, size_t i) = nullptr;

  size_t num_operands() const { return signature.find(':'); }
  static ElementType TypeOf(char c) { return c == 'b' ? ElementType::kBool : ElementType::kF32; }
  ElementType operand(size_t i) const { return TypeOf(signature[i]); }
  ElementType result() const { return TypeOf(signature.back()); }
};

// A number in every lane: parameters[0].
extern const OpRow kConstantRow;

// The row for `op`, or null.
const OpRow* FindOp(std::string_view op);

}  // namespace ge::jit
