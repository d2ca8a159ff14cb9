// libconstant_folding_ops.so's table: one node through the dispatcher, on constants. Bitwise what eager computes.
#include "ge_core/ir/host_cpu_library.h"

#include <ATen/core/grad_mode.h>

#include <map>

#include "ge_core/base/str.h"
#include "host_kernels/aten/aten_engine.h"

namespace ge::aten {
namespace {

struct StaticShape {
  std::vector<int64_t> sizes, strides;
};

StaticShape ShapeOf(const ValueType& type) {
  StaticShape s;
  for (const Dim& d : type.shape()) s.sizes.push_back(d.value());
  for (const Dim& d : type.ContiguousStrides()) s.strides.push_back(d.value());
  return s;
}

Status Run(const Node& node, std::span<const Tensor* const> inputs, std::vector<Tensor>& outputs) {
  // The mappings of the node's own op table; tables are few and live as long as the process.
  static std::mutex mutex;
  static std::map<const OpTable*, std::unique_ptr<AtenMappings>> tables;
  const AtenMappings* mappings;
  {
    std::lock_guard lock(mutex);
    auto& entry = tables[&node.graph().ops()];
    if (!entry) {
      GE_ASSIGN_OR_RETURN(AtenMappings built, AtenMappings::Build(node.graph().ops()));
      entry = std::make_unique<AtenMappings>(std::move(built));
    }
    mappings = entry.get();
  }
  Result<NodeCall> call = MakeNodeCall(node, *mappings);
  if (!call.ok()) return Unimplemented(call.message());
  try {
    at::AutoDispatchBelowAutograd below_autograd;
    std::vector<StaticShape> shapes;
    shapes.reserve(inputs.size());
    std::vector<Slot> slots(inputs.size());
    std::vector<Slot*> pointers;
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (!inputs[i]) {
        pointers.push_back(nullptr);
        continue;
      }
      shapes.push_back(ShapeOf(inputs[i]->type()));
      Slot& s = slots[i];
      s.kind = ValueType::Kind::kTensor;
      s.planned = true;
      s.dtype = inputs[i]->dtype();
      s.ndim = static_cast<int32_t>(shapes.back().sizes.size());
      s.sizes = shapes.back().sizes.data();
      s.strides = shapes.back().strides.data();
      s.data = const_cast<void*>(inputs[i]->data<void>());
      pointers.push_back(&s);
    }
    std::vector<c10::IValue> results;
    call->call.Run(pointers, results);
    std::vector<Tensor> found(static_cast<size_t>(node.num_outputs()));
    for (size_t i = 0; i < call->outputs.size(); ++i) {
      const int out = call->outputs[i];
      if (out < 0) continue;
      if (i >= results.size() || !results[i].isTensor()) return Unimplemented("a result is no tensor");
      const at::Tensor t = results[i].toTensor();
      if (!IsPlain(t)) return Unimplemented("a result is no plain CPU tensor");
      if (!t.is_contiguous()) return Unimplemented("the result is not contiguous");
      const auto dtype = FromScalarType(t.scalar_type());
      if (!dtype) return Unimplemented("the result's dtype cannot be a constant");
      Tensor copy(ValueType::Tensor(*dtype, Shape(t.sizes().begin(), t.sizes().end())));
      if (t.nbytes()) std::memcpy(copy.mutable_data<void>(), t.const_data_ptr(), t.nbytes());
      found[static_cast<size_t>(out)] = std::move(copy);
    }
    for (Tensor& t : found) {
      if (!t.defined()) return Unimplemented("a result is missing");
      outputs.push_back(std::move(t));
    }
    return {};
  } catch (const std::exception& e) { return InvalidArgument(e.what()); }
}

constexpr HostCpuLibrary kLibrary{.run = &Run, .abi_version = kHostCpuAbiVersion};

}  // namespace

// Linked callers (torch_backend) and dlopen callers (HostCpuEngine) meet here.
extern "C" GE_API const HostCpuLibrary* ge_host_cpu_library() { return &kLibrary; }

}  // namespace ge::aten
