#include "torch_backend/csrc/torch_host.h"

#include "ge_core/base/str.h"
#include "host_kernels/aten/tensor_slot.h"

namespace ge::torch_backend {

Status TorchHost::AllocateFresh(const ValueType& type, Slot& slot) {
  std::vector<int64_t> sizes, strides;
  for (const Dim& d : type.shape()) sizes.push_back(d.value());
  for (const Dim& d : type.Strides()) strides.push_back(d.value());
  try {
    aten::PutTensor(slot, at::empty_strided(sizes, strides, at::TensorOptions().dtype(aten::ToScalarType(type.dtype()))));
  } catch (const std::exception& e) {
    return FailedPrecondition(StrCat("cannot allocate a ", ToString(type), ": ", e.what()));
  }
  return {};
}

Status TorchHost::Restride(const ValueType& type, std::span<const int64_t> strides, Slot& slot) {
  const at::Tensor t = aten::GetTensor(slot);
  std::vector<int64_t> sizes;
  for (const Dim& d : type.shape()) sizes.push_back(d.value());
  if (t.sizes() != at::IntArrayRef(sizes) || t.scalar_type() != aten::ToScalarType(type.dtype()))
    return Internal(StrCat("a kernel was compiled for ", ToString(type), " and met a tensor of other shape or dtype"));
  if (aten::IsPlain(t) && t.strides() == at::IntArrayRef(strides.data(), strides.size())) return {};
  at::Tensor copy = at::empty_strided(sizes, {strides.data(), strides.size()}, t.options());
  copy.copy_(t);
  aten::PutTensor(slot, std::move(copy));
  return {};
}

}  // namespace ge::torch_backend
