#include "host_kernels/aten/tensor_slot.h"

#include <array>

namespace ge::aten {
namespace {

constexpr std::array<at::ScalarType, kNumDTypes> kScalarTypes = {
    at::kFloat,
    at::kHalf,
    at::kBFloat16,
    at::kDouble,
    at::kChar,
    at::kShort,
    at::kInt,
    at::kLong,
    at::kByte,
    at::kUInt16,
    at::kUInt32,
    at::kUInt64,
    at::kBool,
    at::kComplexHalf,
    at::kComplexFloat,
    at::kComplexDouble,
    at::kFloat8_e4m3fn,
    at::kFloat8_e5m2,
    at::kFloat8_e4m3fnuz,
    at::kFloat8_e5m2fnuz,
    at::kFloat8_e8m0fnu,
    at::kFloat4_e2m1fn_x2,
};

at::TensorImpl* Impl(void* object) { return static_cast<at::TensorImpl*>(object); }

}  // namespace

const Holder::Ops kTensorOps = {
    [](void* object) { c10::raw::intrusive_ptr::incref(Impl(object)); },
    [](void* object) { c10::raw::intrusive_ptr::decref(Impl(object)); },
};

at::ScalarType ToScalarType(DType t) { return kScalarTypes[static_cast<size_t>(t)]; }

std::optional<DType> FromScalarType(at::ScalarType t) {
  for (size_t i = 0; i < kScalarTypes.size(); ++i)
    if (kScalarTypes[i] == t) return static_cast<DType>(i);
  return std::nullopt;
}

void PutTensor(Slot& slot, at::Tensor t) {
  slot.planned = false;
  if (!t.defined()) {
    slot.kind = ValueType::Kind::kOpaque;
    slot.data = nullptr;
    slot.object.reset();
    return;
  }
  const auto dtype = FromScalarType(t.scalar_type());
  if (dtype && IsPlain(t)) {
    slot.kind = ValueType::Kind::kTensor;
    slot.dtype = *dtype;
    slot.ndim = static_cast<int32_t>(t.dim());
    slot.sizes = t.sizes().data();
    slot.strides = t.strides().data();
    slot.data = const_cast<void*>(t.const_data_ptr());
  } else {
    slot.kind = ValueType::Kind::kTensor;
    if (dtype) slot.dtype = *dtype;
    slot.ndim = static_cast<int32_t>(t.dim());
    slot.sizes = t.layout() == at::kStrided && !t.unsafeGetTensorImpl()->is_nested() ? t.sizes().data() : nullptr;
    slot.strides = nullptr;
    slot.data = nullptr;
  }
  slot.object = Holder(t.unsafeReleaseTensorImpl(), &kTensorOps);
}

at::Tensor GetTensor(Slot& slot) {
  if (slot.object) {
    TORCH_CHECK_TYPE(slot.object.ops() == &kTensorOps, "a tensor was expected, found another Python object");
    return at::Tensor(c10::intrusive_ptr<at::TensorImpl, at::UndefinedTensorImpl>::reclaim_copy(Impl(slot.object.get())));
  }
  if (!slot.data && slot.kind == ValueType::Kind::kOpaque) return {};
  at::Tensor t = at::from_blob(slot.data, {slot.sizes, static_cast<size_t>(slot.ndim)}, {slot.strides, static_cast<size_t>(slot.ndim)},
                               at::TensorOptions().dtype(ToScalarType(slot.dtype)));
  at::Tensor keep = t;
  slot.object = Holder(keep.unsafeReleaseTensorImpl(), &kTensorOps);
  return t;
}

}  // namespace ge::aten
