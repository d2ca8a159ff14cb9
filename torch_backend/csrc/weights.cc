#include "torch_backend/csrc/weights.h"

#include <ATen/core/grad_mode.h>

#include <cstring>

namespace ge::torch_backend {
namespace {

constexpr size_t kSmall = 4096, kSamples = 32, kLine = 64;
constexpr int kMaxTrips = 8;  // readers that trip the clone so often make the tensor not worth arming

std::atomic<uint64_t> optimizer_epoch{0};

uint64_t HashBytes(uint64_t h, const unsigned char* p, size_t n) {
  uint64_t word;
  for (; n >= 8; p += 8, n -= 8) {
    std::memcpy(&word, p, 8);
    h = (h ^ word) * 0x9fb21c651e98df25ull;
    h ^= h >> 32;
  }
  if (n) {
    word = 0;
    std::memcpy(&word, p, n);
    h = (h ^ word) * 0x9fb21c651e98df25ull;
    h ^= h >> 32;
  }
  return h;
}

// Bytes of the storage that the tensor can reach.
std::pair<const unsigned char*, size_t> Bytes(const at::Tensor& t) {
  return {static_cast<const unsigned char*>(t.storage().data()), t.storage().nbytes()};
}

uint64_t Fingerprint(const at::Tensor& t, bool full) {
  const auto [data, size] = Bytes(t);
  if (!data) return 0;
  if (full || size <= kSmall) return HashBytes(size, data, size);
  uint64_t h = size;
  for (size_t i = 0; i < kSamples; ++i) h = HashBytes(h, data + (size - kLine) / (kSamples - 1) * i, kLine);
  return h;
}

int64_t Version(const at::Tensor& t) {
  const auto& counter = t.unsafeGetTensorImpl()->version_counter();
  return counter.enabled() ? static_cast<int64_t>(counter.current_version()) : -1;
}

// A copy-on-write clone, or undefined where the storage cannot be shared or somebody else holds it: an alias made before
// arming would stay on the old memory when the tensor moves.
at::Tensor Arm(const at::Tensor& t) {
  const auto* storage = t.storage().unsafeGetStorageImpl();
  const auto* slot = const_cast<c10::StorageImpl*>(storage)->pyobj_slot();
  const size_t owners = t.storage().use_count() - (slot->load_pyobj() ? 1 : 0);
  if (owners != 1 || t.storage().nbytes() == 0) return {};
  try {
    at::AutoDispatchBelowADInplaceOrView guard;
    c10::impl::ExcludeDispatchKeyGuard quiet(c10::DispatchKeySet({c10::DispatchKey::Python, c10::DispatchKey::PythonTLSSnapshot}));
    return at::_lazy_clone(t);
  } catch (const std::exception&) { return {}; }
}

}  // namespace

void AdvanceOptimizerEpoch() { optimizer_epoch.fetch_add(1, std::memory_order_relaxed); }

WatchedTensor WatchedTensor::Bind(const at::Tensor& t, WeightMode mode) {
  WatchedTensor w;
  w.impl_ = c10::weak_intrusive_ptr<at::TensorImpl, at::UndefinedTensorImpl>(t.getIntrusivePtr());
  w.address_ = t.unsafeGetTensorImpl();
  w.epoch_ = optimizer_epoch.load(std::memory_order_relaxed);
  if (mode == WeightMode::kAuto) w.clone_ = Arm(t);
  if (!w.clone_.defined()) {
    w.storage_ = t.storage();
    w.fingerprint_ = Fingerprint(t, false);
    w.full_ = Fingerprint(t, true);
  }
  w.data_ = t.storage().data();
  w.version_ = Version(t);
  return w;
}

bool WatchedTensor::Unchanged(const at::Tensor& t, WeightMode mode, uint64_t epoch) {
  if (t.unsafeGetTensorImpl() != address_) return false;
  if (clone_.defined()) {
    if (t.storage().data() == data_) return true;
    // Moved: somebody took a mutable pointer. A reader (numpy, torch.save) leaves the bytes as they were.
    const auto [now, now_size] = Bytes(t);
    const auto [then, then_size] = Bytes(clone_);
    if (now_size != then_size || std::memcmp(now, then, now_size) != 0) return false;
    *this = [&] {
      WatchedTensor w = Bind(t, ++trips_ < kMaxTrips ? mode : WeightMode::kChecked);
      w.trips_ = trips_;
      return w;
    }();
    return true;
  }
  if (t.storage().data() != data_ || Version(t) != version_) return false;
  if (mode == WeightMode::kChecked || epoch != epoch_) {
    epoch_ = epoch;
    return Fingerprint(t, true) == full_;
  }
  return Fingerprint(t, false) == fingerprint_;
}

Result<std::shared_ptr<WeightSet>> WeightCache::Get(std::span<const at::Tensor> inputs, std::span<const int> positions,
                                                    const std::function<Result<std::shared_ptr<WeightSet>>()>& make) {
  std::lock_guard lock(mutex_);
  DropForgotten();
  const uint64_t epoch = optimizer_epoch.load(std::memory_order_relaxed);
  for (size_t e = 0; e < entries_.size(); ++e) {
    bool same = true;
    for (size_t i = 0; same && i < positions.size(); ++i)
      same = entries_[e]->tensors[i].Unchanged(inputs[static_cast<size_t>(positions[i])], mode_, epoch);
    if (!same) continue;
    if (e != 0)
      std::rotate(entries_.begin(), entries_.begin() + static_cast<std::ptrdiff_t>(e),
                  entries_.begin() + static_cast<std::ptrdiff_t>(e) + 1);
    return entries_[0]->set;
  }
  // A set of dead tensors, or of these very tensors before they were written, is of no use to anybody.
  std::erase_if(entries_, [&](const std::unique_ptr<Entry>& entry) {
    bool stale = true;
    for (size_t i = 0; i < positions.size(); ++i) {
      if (entry->tensors[i].expired()) return true;
      stale &= entry->tensors[i].IsFor(inputs[static_cast<size_t>(positions[i])].unsafeGetTensorImpl());
    }
    return stale;
  });
  auto entry = std::make_unique<Entry>();
  // Watch first, read after: a write in between is then noticed at the next call.
  for (int p : positions) entry->tensors.push_back(WatchedTensor::Bind(inputs[static_cast<size_t>(p)], mode_));
  GE_ASSIGN_OR_RETURN(entry->set, make());
  ++builds_;
  entries_.insert(entries_.begin(), std::move(entry));
  if (entries_.size() > kMaxSets) entries_.pop_back();
  return entries_[0]->set;
}

void WeightCache::DropForgotten() {
  std::vector<const at::TensorImpl*> gone;
  {
    std::lock_guard lock(forgotten_mutex_);
    gone.swap(forgotten_);
  }
  for (const at::TensorImpl* t : gone)
    std::erase_if(entries_, [&](const std::unique_ptr<Entry>& e) {
      return std::any_of(e->tensors.begin(), e->tensors.end(), [&](const WatchedTensor& w) { return w.IsFor(t); });
    });
}

void WeightCache::Forget(const at::TensorImpl* tensor) {
  {
    std::lock_guard lock(forgotten_mutex_);
    forgotten_.push_back(tensor);
  }
  // A Get in progress may wait for the GIL that our caller holds: then the next Get drops the set.
  std::unique_lock lock(mutex_, std::try_to_lock);
  if (lock.owns_lock()) DropForgotten();
}

void WeightCache::Clear() {
  std::lock_guard lock(mutex_);
  entries_.clear();
}
size_t WeightCache::size() const {
  std::lock_guard lock(mutex_);
  return entries_.size();
}

}  // namespace ge::torch_backend
