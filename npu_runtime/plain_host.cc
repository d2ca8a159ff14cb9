#include "npu_runtime/plain_host.h"

#include <cstdlib>
#include <cstring>

#include "ge_core/base/str.h"

namespace ge {
namespace {

// One allocation with its shape: slots point into it.
struct Block {
  std::atomic<int> references{1};
  std::vector<int64_t> sizes, strides;
  void* data = nullptr;
  Holder owner;  // of the memory that a view shows
  ~Block() { std::free(data); }
};

const Holder::Ops kBlockOps = {
    [](void* b) { static_cast<Block*>(b)->references.fetch_add(1, std::memory_order_relaxed); },
    [](void* b) {
      if (static_cast<Block*>(b)->references.fetch_sub(1, std::memory_order_acq_rel) == 1) delete static_cast<Block*>(b);
    },
};

// Elements from the first to one past the last that these strides reach.
int64_t Extent(std::span<const int64_t> sizes, std::span<const int64_t> strides) {
  int64_t extent = 1;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] == 0) return 0;
    extent += (sizes[i] - 1) * strides[i];
  }
  return extent;
}

Status Fill(DType dtype, std::vector<int64_t> sizes, std::vector<int64_t> strides, Slot& slot) {
  auto block = std::make_unique<Block>();
  block->sizes = std::move(sizes);
  block->strides = std::move(strides);
  const size_t bytes = static_cast<size_t>(Extent(block->sizes, block->strides)) * SizeOf(dtype);
  block->data = std::aligned_alloc(64, (bytes + 64) / 64 * 64);
  if (!block->data) return FailedPrecondition(StrCat("out of memory: ", bytes, " bytes"));
  slot.kind = ValueType::Kind::kTensor;
  slot.dtype = dtype;
  slot.planned = false;
  slot.ndim = static_cast<int32_t>(block->sizes.size());
  slot.sizes = block->sizes.data();
  slot.strides = block->strides.data();
  slot.data = block->data;
  slot.object = Holder(block.release(), &kBlockOps);
  return {};
}

void CopyElements(const Slot& from, Slot& to) {
  const auto element = static_cast<int64_t>(SizeOf(from.dtype));
  int64_t count = 1;
  for (int32_t d = 0; d < from.ndim; ++d) count *= from.sizes[d];
  std::vector<int64_t> index(static_cast<size_t>(from.ndim));
  for (int64_t i = 0; i < count; ++i) {
    int64_t source = 0, target = 0;
    for (size_t d = 0; d < index.size(); ++d) source += index[d] * from.strides[d], target += index[d] * to.strides[d];
    std::memcpy(static_cast<std::byte*>(to.data) + target * element, static_cast<const std::byte*>(from.data) + source * element,
                static_cast<size_t>(element));
    for (size_t d = index.size(); d-- > 0;) {
      if (++index[d] < from.sizes[d]) break;
      index[d] = 0;
    }
  }
}

// Element-wise copy into a new block with these strides.
Status CopyTo(std::vector<int64_t> strides, Slot& slot) {
  Slot out;
  GE_RETURN_IF_ERROR(Fill(slot.dtype, {slot.sizes, slot.sizes + slot.ndim}, std::move(strides), out));
  CopyElements(slot, out);
  slot = std::move(out);
  return {};
}

}  // namespace

Status PlainHost::AllocateFresh(const ValueType& type, Slot& slot) {
  std::vector<int64_t> sizes, strides;
  for (const Dim& d : type.shape()) sizes.push_back(d.value());
  for (const Dim& d : type.Strides()) strides.push_back(d.value());
  return Fill(type.dtype(), std::move(sizes), std::move(strides), slot);
}

Status PlainHost::Restride(const ValueType& type, std::span<const int64_t> strides, Slot& slot) {
  bool same = slot.kind == ValueType::Kind::kTensor && slot.dtype == type.dtype() && slot.ndim == static_cast<int32_t>(type.rank());
  for (size_t i = 0; same && i < type.shape().size(); ++i) same = slot.sizes[i] == type.shape()[i].value();
  if (!same) return Internal(StrCat("a kernel was compiled for ", ToString(type), " and met a tensor of other shape or dtype"));
  bool ordered = true;
  for (size_t i = 0; i < strides.size(); ++i) ordered &= slot.sizes[i] <= 1 || slot.strides[i] == strides[i];
  return ordered ? Status() : CopyTo({strides.begin(), strides.end()}, slot);
}

Status PlainHost::Clone(Slot& slot) {
  if (slot.kind != ValueType::Kind::kTensor) return {};
  return CopyTo({slot.strides, slot.strides + slot.ndim}, slot);
}

Status PlainHost::MakeView(const Slot& base, Slot& view) {
  auto block = std::make_unique<Block>();
  block->sizes.assign(view.sizes, view.sizes + view.ndim);
  block->strides.assign(view.strides, view.strides + view.ndim);
  block->owner = base.object.Share();
  view.sizes = block->sizes.data();
  view.strides = block->strides.data();
  view.object = Holder(block.release(), &kBlockOps);
  return {};
}

Status PlainHost::WriteBack(Slot& target, const Slot& source) {
  CopyElements(source, target);
  return {};
}

}  // namespace ge
