// A host CPU library that answers each operator of tests/ge_core/passes/test_graphs.h with another fault.
#include <new>
#include <stdexcept>
#include <vector>

#include "ge_core/ir/host_cpu_library.h"

namespace {

using ge::Tensor;

ge::Status Run(const ge::Node& node, std::span<const Tensor* const> inputs, std::vector<Tensor>& outputs) {
  const std::string_view op = node.op().name;
  if (op == "Add") return ge::InvalidArgument("the operator itself fails on these values");
  if (op == "Sub") throw std::runtime_error("thrown by the library");
  if (op == "Div") throw std::bad_alloc();
  if (op == "Relu") {  // a container beyond the address space
    std::vector<int64_t> v;
    v.resize(v.max_size() + 1);
  }
  if (op == "Scale") throw 7;
  if (op == "View") return {};                                      // success without a result
  if (op == "Twice") outputs.push_back(*inputs[0]);                 // one result of two
  if (op == "Generate") outputs.push_back(Tensor::Ints({{1, 2}}));  // a result of another shape
  if (op == "NoKernel") {
    outputs.push_back(*inputs[0]);
    return {};
  }
  if (!outputs.empty()) return {};
  return ge::Unimplemented("no kernel");
}
constexpr ge::HostCpuLibrary kLibrary{.run = &Run, .abi_version = ge::kHostCpuAbiVersion};

}  // namespace

extern "C" GE_API const ge::HostCpuLibrary* ge_host_cpu_library() { return &kLibrary; }
