#include "tests/benchmarks/kernels/kernel_case.h"

namespace ge::bench {
namespace {

std::string Joined(const std::vector<int64_t>& numbers) {
  std::string out;
  for (int64_t n : numbers) out += (out.empty() ? "" : ",") + std::to_string(n);
  return out;
}

}  // namespace

std::string TypeText(const std::vector<int64_t>& shape, const std::vector<int64_t>& strides) {
  const std::string dense = "f32[" + Joined(shape) + "]";
  return strides.empty() ? dense : dense + "{" + Joined(strides) + "}";
}

std::string KernelCase::Text(const std::map<int, std::string>& packed) const {
  std::string parameters, packs, operands;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const std::string value = "%a" + std::to_string(i), separator = i ? ", " : "";
    parameters += separator + value + ": " + inputs[i] + (i ? " {weight=true}" : "");
    const auto wanted = packed.find(static_cast<int>(i));
    if (wanted != packed.end()) packs += "  %p" + std::to_string(i) + " = TransData(" + value + ") : " + wanted->second + "\n";
    operands += separator + (wanted == packed.end() ? value : "%p" + std::to_string(i));
  }
  return "graph @main(" + parameters + ") {\n" + packs + "  %y = " + op + "(" + operands + ") {" + attrs + "} : " + output +
         "\n  return %y\n}\n";
}

}  // namespace ge::bench
