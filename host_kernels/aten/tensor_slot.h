#pragma once
// Bridges between runtime slots and at::Tensor. A slot whose holder carries kTensorOps owns a TensorImpl reference.
#include <ATen/ATen.h>

#include "ge_core/ir/engine.h"

namespace ge::aten {

GE_API extern const Holder::Ops kTensorOps;

GE_API at::ScalarType ToScalarType(DType t);
// nullopt: a dtype that our tensors do not model (quantised, bits): such values are opaque.
GE_API std::optional<DType> FromScalarType(at::ScalarType t);

// A dense, strided CPU tensor that native kernels can read through its pointer.
inline bool IsPlain(const at::Tensor& t) {
  return t.defined() && t.layout() == at::kStrided && t.device().is_cpu() && t.has_storage() && !t.is_quantized() && !t.is_conj() &&
         !t.is_neg();
}

// Stores `t` in the slot: kind, sizes, strides, and the data pointer where the tensor is plain. Reads through
// const_data_ptr, so a copy-on-write tripwire (torch_backend/csrc/weights.h) is not set off. Undefined: opaque, empty.
GE_API void PutTensor(Slot& slot, at::Tensor t);

// The slot's tensor. A planned slot (arena, constant) gets a tensor over its memory, made once and kept in the slot.
GE_API at::Tensor GetTensor(Slot& slot);

}  // namespace ge::aten
