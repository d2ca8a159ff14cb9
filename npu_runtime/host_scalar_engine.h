#pragma once
// The engine of host scalar work: SymSize, SymCompute and SymToTensor, the shape arithmetic of dynamic graphs.
#include "ge_core/ir/engine.h"

namespace ge {

// A process-wide, stateless engine named "host_scalar".
GE_API const Engine& HostScalarEngine();

// One function of SymCompute on Python numbers; exposed for tests. Fails with InvalidArgument where Python raises
// (division by zero, negative shift) and Unimplemented for an unknown `fn`.
struct PyNumber {
  enum class Kind : uint8_t { kInt, kFloat, kBool } kind = Kind::kInt;
  int64_t i = 0;  // kInt, kBool
  double f = 0;   // kFloat
  double AsDouble() const { return kind == Kind::kFloat ? f : static_cast<double>(i); }
};
GE_API Result<PyNumber> SymCompute(std::string_view fn, std::span<const PyNumber> args);

}  // namespace ge
