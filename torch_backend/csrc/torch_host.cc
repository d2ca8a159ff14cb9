#include "torch_backend/csrc/torch_host.h"

#include <ATen/EmptyTensor.h>

#include "ge_core/base/str.h"
#include "host_kernels/aten/tensor_slot.h"

namespace ge::torch_backend {

Status TorchHost::AllocateFresh(const ValueType& type, Slot& slot) {
  std::vector<int64_t> sizes, strides;
  for (const Dim& d : type.shape()) sizes.push_back(d.value());
  for (const Dim& d : type.Strides()) strides.push_back(d.value());
  try {
    aten::PutTensor(slot, at::detail::empty_strided_cpu(sizes, strides, aten::ToScalarType(type.dtype())));
  } catch (const std::exception& e) { return FailedPrecondition(StrCat("cannot allocate a ", ToString(type), ": ", e.what())); }
  return {};
}

Status TorchHost::Restride(const ValueType& type, std::span<const int64_t> strides, Slot& slot) {
  WithoutPythonModes quiet;
  const at::Tensor t = aten::GetTensor(slot);
  std::vector<int64_t> sizes;
  for (const Dim& d : type.shape()) sizes.push_back(d.value());
  if (!t.defined() || t.sizes() != at::IntArrayRef(sizes) || t.scalar_type() != aten::ToScalarType(type.dtype()))
    return Internal(StrCat("a kernel was compiled for ", ToString(type), " and met a tensor of other shape or dtype"));
  if (aten::IsPlain(t) && t.strides() == at::IntArrayRef(strides.data(), strides.size())) return {};
  at::Tensor copy = at::detail::empty_strided_cpu(sizes, {strides.data(), strides.size()}, t.scalar_type());
  copy.copy_(t);
  aten::PutTensor(slot, std::move(copy));
  return {};
}

Status TorchHost::Clone(Slot& slot) {
  WithoutPythonModes quiet;
  try {
    if (slot.kind == ValueType::Kind::kTensor) aten::PutTensor(slot, aten::GetTensor(slot).clone());
  } catch (const std::exception& e) { return FailedPrecondition(StrCat("cannot copy a tensor: ", e.what())); }
  return {};
}

}  // namespace ge::torch_backend
