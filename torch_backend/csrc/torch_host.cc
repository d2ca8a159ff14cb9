#include "torch_backend/csrc/torch_host.h"

#include <ATen/EmptyTensor.h>
#include <ATen/Parallel.h>
#include <ATen/ThreadLocalState.h>
#include <torch/csrc/Exceptions.h>

#include "ge_core/base/str.h"
#include "host_kernels/aten/tensor_slot.h"
#include "host_kernels/thread_count.h"

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

Status TorchHost::MakeView(const Slot& base, Slot& view) {
  WithoutPythonModes quiet;
  try {
    const at::IntArrayRef sizes(view.sizes, static_cast<size_t>(view.ndim)), strides(view.strides, static_cast<size_t>(view.ndim));
    Slot whole;
    whole.object = base.object.Share();
    const at::Tensor t = aten::GetTensor(whole);
    const int64_t bytes = static_cast<std::byte*>(view.data) - static_cast<std::byte*>(base.data);
    const auto offset = (t.storage_offset() * static_cast<int64_t>(t.itemsize()) + bytes) / static_cast<int64_t>(SizeOf(view.dtype));
    const at::ScalarType dtype = aten::ToScalarType(view.dtype);
    at::Tensor made = t.scalar_type() == dtype ? t.as_strided(sizes, strides, offset)
                                               : at::empty({0}, t.options().dtype(dtype)).set_(t.storage(), offset, sizes, strides);
    aten::PutTensor(view, std::move(made));
  } catch (const std::exception& e) { return FailedPrecondition(StrCat("cannot make a view of a tensor: ", e.what())); }
  return {};
}

Status TorchHost::WriteBack(Slot& target, const Slot& source) {
  WithoutPythonModes quiet;
  try {
    Slot from;
    from.kind = source.kind, from.dtype = source.dtype, from.planned = true, from.ndim = source.ndim;
    from.sizes = source.sizes, from.strides = source.strides, from.data = source.data;
    aten::GetTensor(target).copy_(aten::GetTensor(from));
  } catch (const std::exception& e) { return FailedPrecondition(StrCat("cannot write an input back: ", e.what())); }
  return {};
}

std::function<void()> TorchHost::ForOtherThread(std::function<void()> work) {
  return [work = std::move(work), caller = at::ThreadLocalState(), threads = at::get_num_threads()] {
    pybind11::gil_scoped_acquire python;  // a Python thread state for all of the work: an error that Python set is kept there
    pybind11::gil_scoped_release no_gil;
    const at::ThreadLocalStateGuard state(caller);
    const ThreadCount count(threads);
    work();
  };
}

void TorchHost::KeepException(const std::exception_ptr& exception) {
  try {
    std::rethrow_exception(exception);
  } catch (python_error& e) {
    e.persist();
  } catch (...) {  // the others hold what they say
  }
}

}  // namespace ge::torch_backend
