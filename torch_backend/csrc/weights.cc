#include "torch_backend/csrc/weights.h"

#include <ATen/core/grad_mode.h>

#include <cstring>
#include <unordered_map>

#include "host_kernels/aten/tensor_slot.h"

namespace ge::torch_backend {
namespace {

constexpr size_t kSmall = 4096, kSamples = 32, kLine = 64;
constexpr int kMaxTrips = 8;  // readers that trip the clone so often make the tensor not worth arming
// How long one operator of another thread may go on writing a tensor after it was found moved: a start, and 1 GB/s.
constexpr std::chrono::milliseconds kHotBase{50};

std::atomic<uint64_t> optimizer_epoch{0};

constexpr uint64_t kMultiplier = 0x9fb21c651e98df25ull;
uint64_t Mix(uint64_t h, uint64_t word) {
  h = (h ^ word) * kMultiplier;
  return h ^ (h >> 32);
}

// Eight lanes: one multiplication waits for the one before it in its lane only.
uint64_t HashBytes(uint64_t h, const unsigned char* p, size_t n) {
  constexpr size_t kLanes = 8;
  if (n >= 8 * kLanes) {
    uint64_t lanes[kLanes], words[kLanes];
    for (size_t i = 0; i < kLanes; ++i) lanes[i] = h + i;
    for (; n >= sizeof(words); p += sizeof(words), n -= sizeof(words)) {
      std::memcpy(words, p, sizeof(words));
      for (size_t i = 0; i < kLanes; ++i) lanes[i] = Mix(lanes[i], words[i]);
    }
    for (uint64_t lane : lanes) h = Mix(h, lane);
  }
  for (; n > 0; p += std::min<size_t>(n, 8), n -= std::min<size_t>(n, 8)) {
    uint64_t word = 0;
    std::memcpy(&word, p, std::min<size_t>(n, 8));
    h = Mix(h, word);
  }
  return h;
}

// Bytes of the storage that the tensor can reach.
std::pair<const unsigned char*, size_t> Bytes(const at::Tensor& t) {
  return {static_cast<const unsigned char*>(t.storage().data()), t.storage().nbytes()};
}

uint64_t Fingerprint(const unsigned char* data, size_t size, bool full) {
  if (!data) return 0;
  if (full || size <= kSmall) return HashBytes(size, data, size);
  uint64_t h = size;
  for (size_t i = 0; i < kSamples; ++i) h = HashBytes(h, data + (size - kLine) / (kSamples - 1) * i, kLine);
  return h;
}

uint64_t Fingerprint(const at::Tensor& t, bool full) {
  const auto [data, size] = Bytes(t);
  return Fingerprint(data, size, full);
}

int64_t Version(const at::Tensor& t) {
  const auto& counter = t.unsafeGetTensorImpl()->version_counter();
  return counter.enabled() ? static_cast<int64_t>(counter.current_version()) : -1;
}

// Readers of tensors that are not armed hold the tensor's storage. Here is how many there are: they are no strangers when
// a tensor is to be armed. They point into memory that moves once the tensor is armed and then written; the clone that
// keeps that memory must then outlive them.
class Readers {
 public:
  static Readers& Get() {
    static auto* all = new Readers();  // tensors may die after static destructors
    return *all;
  }
  void Add(const c10::StorageImpl* s) {
    std::lock_guard lock(mutex_);
    ++rows_[s].count;
  }
  void Drop(const c10::StorageImpl* s) {
    std::vector<at::Tensor> clones;  // freed outside the lock
    std::lock_guard lock(mutex_);
    auto it = rows_.find(s);
    if (--it->second.count > 0) return;
    clones.swap(it->second.clones);
    rows_.erase(it);
  }
  size_t Count(const c10::StorageImpl* s) {
    std::lock_guard lock(mutex_);
    auto it = rows_.find(s);
    return it == rows_.end() ? 0 : it->second.count;
  }
  // `clone` is not needed by its owner any more.
  void Retire(const c10::StorageImpl* s, at::Tensor clone) {
    std::lock_guard lock(mutex_);
    if (auto it = rows_.find(s); it != rows_.end()) it->second.clones.push_back(std::move(clone));
  }

 private:
  struct Row {
    size_t count = 0;
    std::vector<at::Tensor> clones;
  };
  std::mutex mutex_;
  std::unordered_map<const c10::StorageImpl*, Row> rows_;  // look-up only
};

// A copy-on-write clone, or undefined where the storage cannot be shared or somebody else holds it: an alias made before
// arming would stay on the old memory when the tensor moves.
at::Tensor CopyOnWriteClone(const at::Tensor& t) {
  const auto* storage = t.storage().unsafeGetStorageImpl();
  const auto* slot = const_cast<c10::StorageImpl*>(storage)->pyobj_slot();
  const size_t owners = t.storage().use_count() - (slot->load_pyobj() ? 1 : 0) - Readers::Get().Count(storage);
  if (owners != 1 || t.storage().nbytes() == 0) return {};
  try {
    at::AutoDispatchBelowADInplaceOrView guard;
    c10::impl::ExcludeDispatchKeyGuard quiet(c10::DispatchKeySet({c10::DispatchKey::Python, c10::DispatchKey::PythonTLSSnapshot}));
    return at::_lazy_clone(t);
  } catch (const std::exception&) { return {}; }
}

// A tensor like `t` with a storage of its own over `memory`, alive as long as `keep`.
template <class Keep>
at::Tensor MakeReader(const at::Tensor& t, const void* memory, Keep keep) {
  at::AutoDispatchBelowADInplaceOrView guard;
  c10::impl::ExcludeDispatchKeyGuard quiet(c10::DispatchKeySet({c10::DispatchKey::Python, c10::DispatchKey::PythonTLSSnapshot}));
  return at::from_blob(const_cast<void*>(memory), t.sizes(), t.strides(), [keep = std::move(keep)](void*) {}, t.options());
}

struct CountedStorage {
  explicit CountedStorage(at::Storage s) : storage(std::move(s)) { Readers::Get().Add(storage.unsafeGetStorageImpl()); }
  CountedStorage(const CountedStorage&) = delete;
  CountedStorage& operator=(const CountedStorage&) = delete;
  ~CountedStorage() { Readers::Get().Drop(storage.unsafeGetStorageImpl()); }
  at::Storage storage;
};

}  // namespace

struct WatchedTensor::Clone {
  at::Tensor tensor;
  const c10::StorageImpl* origin;
  Clone(at::Tensor t, const c10::StorageImpl* s) : tensor(std::move(t)), origin(s) {}
  Clone(const Clone&) = delete;
  Clone& operator=(const Clone&) = delete;
  ~Clone() { Readers::Get().Retire(origin, std::move(tensor)); }
};

void AdvanceOptimizerEpoch() { optimizer_epoch.fetch_add(1, std::memory_order_relaxed); }

WatchedTensor WatchedTensor::Bind(const at::Tensor& t, WeightMode mode, bool calm) {
  WatchedTensor w;
  w.impl_ = c10::weak_intrusive_ptr<at::TensorImpl, at::UndefinedTensorImpl>(t.getIntrusivePtr());
  w.address_ = t.unsafeGetTensorImpl();
  w.Watch(t, mode, calm ? Event::kMet : Event::kWritten);
  return w;
}

void WatchedTensor::Watch(const at::Tensor& t, WeightMode mode, Event event) {
  sizes_ = t.sizes();
  strides_ = t.strides();
  offset_ = t.storage_offset();
  dtype_ = t.dtype();
  epoch_ = optimizer_epoch.load(std::memory_order_relaxed);
  version_ = Version(t);
  clone_.reset();
  storage_ = at::Storage();
  reader_ = at::Tensor();
  const bool plain = aten::IsPlain(t);
  if ((event == Event::kMet || event == Event::kSettled) && mode == WeightMode::kAuto && trips < kMaxTrips) {
    at::Tensor clone = CopyOnWriteClone(t);
    if (clone.defined()) clone_ = std::make_shared<Clone>(std::move(clone), t.storage().unsafeGetStorageImpl());
  }
  const auto [bytes, size] = Bytes(t);  // once: another thread's write may move the tensor meanwhile
  const size_t begin = static_cast<size_t>(offset_) * t.element_size();
  data_ = bytes;
  hot_ = mode == WeightMode::kAuto && (event == Event::kWritten || event == Event::kMoved);
  if (hot_) hot_until_ = std::chrono::steady_clock::now() + kHotBase + std::chrono::nanoseconds(t.storage().nbytes());
  if (clone_) {
    if (plain) reader_ = MakeReader(t, clone_->tensor.const_data_ptr(), clone_);
    return;
  }
  if (plain && bytes && (event == Event::kWritten || (event == Event::kMet && mode == WeightMode::kChecked))) {
    const std::shared_ptr<unsigned char[]> copy(new unsigned char[size]);
    std::memcpy(copy.get(), bytes, size);
    reader_ = MakeReader(t, copy.get() + begin, copy);
    fingerprint_ = Fingerprint(copy.get(), size, false);
    full_ = Fingerprint(copy.get(), size, true);
    return;
  }
  if (plain)
    reader_ = MakeReader(t, bytes ? bytes + begin : nullptr, std::make_shared<CountedStorage>(t.storage()));
  else
    storage_ = t.storage();
  fingerprint_ = Fingerprint(bytes, size, false);
  full_ = Fingerprint(bytes, size, true);
}

void WatchedTensor::DropCopy(const at::Tensor& t, WeightMode mode) {
  const auto* bytes = static_cast<const unsigned char*>(data_);
  if (mode == WeightMode::kChecked && reader_.defined() && bytes && t.storage().data() == bytes && SameGeometry(t))
    reader_ = MakeReader(t, bytes + static_cast<size_t>(offset_) * t.element_size(), std::make_shared<CountedStorage>(t.storage()));
}

bool WatchedTensor::SameGeometry(const at::Tensor& t) const {
  return t.sizes() == at::IntArrayRef(sizes_) && t.strides() == at::IntArrayRef(strides_) && t.storage_offset() == offset_ &&
         t.dtype() == dtype_;
}

bool WatchedTensor::QuicklyUnchanged(const at::Tensor& t, WeightMode mode, uint64_t epoch) const {
  if (t.unsafeGetTensorImpl() != address_ || t.storage().data() != data_ || Version(t) != version_ || !SameGeometry(t)) return false;
  if (clone_) return true;
  return mode != WeightMode::kChecked && !hot_ && epoch == epoch_ && Fingerprint(t, false) == fingerprint_;
}

bool WatchedTensor::Unchanged(const at::Tensor& t, WeightMode mode, uint64_t epoch) {
  if (QuicklyUnchanged(t, mode, epoch)) return true;
  if (t.unsafeGetTensorImpl() != address_ || Version(t) != version_ || !SameGeometry(t)) return false;
  if (clone_) {
    // Moved: somebody took a mutable pointer. A reader (numpy, torch.save) leaves the bytes as they were.
    if (Bytes(t).second != Bytes(clone_->tensor).second) return false;
    WatchedTensor next = *this;
    ++next.trips;
    next.Watch(t, mode, Event::kMoved);
    if (next.full_ != Fingerprint(clone_->tensor, true)) return false;
    *this = std::move(next);
    return true;
  }
  if (t.storage().data() != data_ || Fingerprint(t, true) != full_) return false;
  if (hot_ && std::chrono::steady_clock::now() >= hot_until_) {
    WatchedTensor next = *this;
    next.Watch(t, mode, Event::kSettled);
    if (Fingerprint(t, true) != full_) return false;
    *this = std::move(next);
  }
  epoch_ = epoch;
  return mode == WeightMode::kChecked || hot_ || clone_ || Fingerprint(t, false) == fingerprint_;
}

std::shared_ptr<const BoundWeights> WeightCache::MakeBound(const Entry& entry, std::shared_ptr<const WeightSet> set) {
  auto bound = std::make_shared<BoundWeights>();
  bound->set = std::move(set);
  for (const WatchedTensor& w : entry.tensors) bound->readers.push_back(w.reader());
  return bound;
}

void WeightCache::MoveToFront(size_t e) {
  const auto it = entries_.begin() + static_cast<std::ptrdiff_t>(e);
  if (e != 0) std::rotate(entries_.begin(), it, it + 1);
}

std::shared_ptr<const BoundWeights> WeightCache::TryGet(std::span<const at::Tensor* const> tensors) {
  std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock.owns_lock() || any_forgotten_.load(std::memory_order_relaxed)) return nullptr;
  const uint64_t epoch = optimizer_epoch.load(std::memory_order_relaxed);
  for (size_t e = 0; e < entries_.size(); ++e) {
    const Entry& entry = *entries_[e];
    bool same = entry.whole;
    for (size_t i = 0; same && i < tensors.size(); ++i) same = entry.tensors[i].QuicklyUnchanged(*tensors[i], mode_, epoch);
    if (!same) continue;
    MoveToFront(e);
    return entries_[0]->bound;
  }
  return nullptr;
}

Result<std::shared_ptr<const BoundWeights>> WeightCache::Get(std::span<const at::Tensor> tensors, const Make& make) {
  std::lock_guard lock(mutex_);
  if (any_forgotten_.load(std::memory_order_relaxed)) DropForgotten();
  const uint64_t epoch = optimizer_epoch.load(std::memory_order_relaxed);
  for (size_t e = 0; e < entries_.size(); ++e) {
    Entry& entry = *entries_[e];
    bool same = entry.whole, rebound = false;
    for (size_t i = 0; same && i < tensors.size(); ++i) {
      same = entry.tensors[i].Unchanged(tensors[i], mode_, epoch);
      rebound |= !entry.tensors[i].reader().is_same(entry.bound->readers[i]);
    }
    if (rebound) entry.bound = MakeBound(entry, entry.bound->set);
    if (!same) continue;
    MoveToFront(e);
    return entries_[0]->bound;
  }

  // The set that shares most with this one gives what does not depend on the difference.
  auto entry = std::make_unique<Entry>();
  entry->tensors.resize(tensors.size());
  std::shared_ptr<const WeightSet> previous;
  std::vector<uint8_t> changed(tensors.size(), 1), known(tensors.size()), best_changed;
  size_t most = 0;
  for (const auto& candidate : entries_) {
    std::vector<uint8_t> differs(tensors.size(), 1);
    size_t shared = 0;
    for (size_t i = 0; i < tensors.size(); ++i) {
      WatchedTensor& w = candidate->tensors[i];
      if (!w.IsFor(tensors[i].unsafeGetTensorImpl())) continue;
      known[i] = 1;
      if (!w.Unchanged(tensors[i], mode_, epoch)) continue;
      differs[i] = 0;
      ++shared;
    }
    candidate->bound = MakeBound(*candidate, candidate->bound->set);
    if (shared <= most) continue;
    most = shared;
    previous = candidate->bound->set;
    changed = differs;
    for (size_t i = 0; i < tensors.size(); ++i)
      if (!differs[i]) entry->tensors[i] = candidate->tensors[i];
  }
  // Watch first, read after: a write in between is then noticed at the next call.
  for (size_t i = 0; i < tensors.size(); ++i)
    if (changed[i]) entry->tensors[i] = WatchedTensor::Bind(tensors[i], mode_, !known[i]);
  std::vector<at::Tensor> readers;
  for (const WatchedTensor& w : entry->tensors) readers.push_back(w.reader());
  GE_ASSIGN_OR_RETURN(std::shared_ptr<const WeightSet> set, make(readers, previous.get(), changed));
  for (size_t i = 0; i < tensors.size(); ++i) entry->tensors[i].DropCopy(tensors[i], mode_);
  ++builds_;
  tasks_run_ += set->tasks_run();
  entry->bound = MakeBound(*entry, std::move(set));
  // A set of dead tensors, or of these very tensors before they were written, is of no use to anybody.
  std::erase_if(entries_, [&](const std::unique_ptr<Entry>& old) {
    bool stale = true;
    for (size_t i = 0; i < tensors.size(); ++i) {
      if (old->tensors[i].expired()) return true;
      stale &= old->tensors[i].IsFor(tensors[i].unsafeGetTensorImpl());
    }
    return stale;
  });
  entries_.insert(entries_.begin(), std::move(entry));
  if (entries_.size() > kMaxSets) entries_.pop_back();
  return entries_[0]->bound;
}

void WeightCache::DropForgotten() {
  std::vector<const at::TensorImpl*> gone;
  {
    std::lock_guard lock(forgotten_mutex_);
    gone.swap(forgotten_);
    any_forgotten_ = false;
  }
  std::erase_if(entries_, [&](const std::unique_ptr<Entry>& entry) {
    std::vector<uint8_t> dead(entry->tensors.size());
    bool any = false, all = true;
    for (size_t i = 0; i < dead.size(); ++i) {
      WatchedTensor& w = entry->tensors[i];
      dead[i] = std::ranges::any_of(gone, [&](const at::TensorImpl* t) { return w.IsFor(t); });
      if (dead[i]) w = WatchedTensor();  // its memory
      any |= dead[i] != 0;
      all &= w.IsFor(nullptr);
    }
    if (any && !all) {
      entry->whole = false;
      entry->bound = MakeBound(*entry, entry->bound->set->Without(dead));
    }
    return any && all;
  });
}

void WeightCache::Forget(const at::TensorImpl* tensor) {
  {
    std::lock_guard lock(forgotten_mutex_);
    forgotten_.push_back(tensor);
    any_forgotten_ = true;
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
