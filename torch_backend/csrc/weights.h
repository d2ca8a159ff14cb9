#pragma once
// Weights as constants, safely: which weight set does this call bring, and has any of its tensors been written since its
// constants were made?
//
// A tensor is *armed* where possible: a copy-on-write clone shares its memory, so any write (in place, through .data, by a
// fused optimizer, through numpy taken later) moves the tensor to other memory, and comparing two pointers finds it. The
// clone also keeps the old memory, so its address cannot be used again. Tensors that cannot be armed (shared memory, mapped
// files, storages with other owners) are watched by storage reference, version counter and a fingerprint of their bytes:
// whole up to 4 KiB, sampled beyond. What sampling cannot see (a sparse write through .data or numpy into a large tensor that
// could not be armed) is the one known hole; ge.weights=checked closes it.
//
// A tensor that was found written may still be in the middle of a write by another thread, which no pointer and no counter
// shows. It is *hot*: not armed, and compared in full at each call, until a while has passed without a change. Constants are
// made from a copy of it, and it is the copy's bytes that later ones are compared with: what was read is what is known.
//
// Kernels read a weight through its *reader*, a tensor over the watched memory that keeps it alive: a run that began with a
// set ends with it, whatever another thread does to the weights.
#include <ATen/ATen.h>

#include "npu_runtime/loaded_model.h"

namespace ge::torch_backend {

enum class WeightMode { kAuto, kChecked };

class WatchedTensor {
 public:
  // Watches a tensor met for the first time. `calm`: it was not seen changing; may be armed at once.
  static WatchedTensor Bind(const at::Tensor& t, WeightMode mode, bool calm);
  // True if `t` is the bound tensor, unwritten. May change how it is watched: then reader() is another tensor.
  bool Unchanged(const at::Tensor& t, WeightMode mode, uint64_t epoch);
  // The same without reading more than a few cache lines and without changing anything; false also where that is not enough.
  bool QuicklyUnchanged(const at::Tensor& t, WeightMode mode, uint64_t epoch) const;
  // The tensor object has died: nobody can bring it again.
  bool expired() const { return impl_.expired(); }
  // Bound to this tensor object, whatever its contents.
  bool IsFor(const at::TensorImpl* t) const { return t == address_; }
  bool armed() const { return clone_ != nullptr; }
  // A plain tensor over the bound memory; undefined for a tensor that is not plain (conjugate, ...): read that itself.
  const at::Tensor& reader() const { return reader_; }
  // The constants are made: in checked mode, where no tensor is armed, gives up the copy that they were made from.
  void DropCopy(const at::Tensor& t, WeightMode mode);
  int trips = 0;  // how often a reader moved the tensor without writing it

 private:
  struct Clone;
  enum class Event { kMet, kWritten, kMoved, kSettled };
  void Watch(const at::Tensor& t, WeightMode mode, Event event);
  bool SameGeometry(const at::Tensor& t) const;

  c10::weak_intrusive_ptr<at::TensorImpl, at::UndefinedTensorImpl> impl_{c10::intrusive_ptr<at::TensorImpl, at::UndefinedTensorImpl>()};
  const at::TensorImpl* address_ = nullptr;
  const void* data_ = nullptr;
  std::shared_ptr<Clone> clone_;  // armed
  at::Storage storage_;           // neither armed nor with a reader
  at::Tensor reader_;
  at::DimVector sizes_, strides_;
  int64_t offset_ = 0;
  caffe2::TypeMeta dtype_;
  int64_t version_ = -1;
  uint64_t fingerprint_ = 0, full_ = 0, epoch_ = 0;
  std::chrono::steady_clock::time_point hot_until_{};
  bool hot_ = false;
};

// What one call runs with. Immutable.
struct BoundWeights {
  std::shared_ptr<const WeightSet> set;
  std::vector<at::Tensor> readers;  // beside the watched positions; see WatchedTensor::reader
};

// The weight sets of one compiled model: bounded, least recently used goes first. Thread-safe.
class WeightCache {
 public:
  explicit WeightCache(WeightMode mode) : mode_(mode) {}
  // Builds a set. `previous` (may be null) holds what does not depend on the tensors marked in `changed`.
  using Make = std::function<Result<std::shared_ptr<const WeightSet>>(std::span<const at::Tensor> readers, const WeightSet* previous,
                                                                      std::span<const uint8_t> changed)>;
  // `tensors`: those that the constant stage reads, always in one order. TryGet: null unless the set is there and quickly
  // checked; never waits, meant for callers with the GIL, which keeps Python from exchanging a tensor's memory meanwhile.
  std::shared_ptr<const BoundWeights> TryGet(std::span<const at::Tensor* const> tensors);
  // Call without the GIL.
  Result<std::shared_ptr<const BoundWeights>> Get(std::span<const at::Tensor> tensors, const Make& make);
  // Call without the GIL: a build in progress may wait for it.
  void Clear();
  // The tensor object is dying: what was made from it goes. Never waits for a running Get.
  void Forget(const at::TensorImpl* tensor);
  size_t size() const;
  int64_t builds() const { return builds_; }
  int64_t tasks_run() const { return tasks_run_; }

 private:
  static constexpr size_t kMaxSets = 16;
  struct Entry {
    std::vector<WatchedTensor> tensors;
    std::shared_ptr<const BoundWeights> bound;
    bool whole = true;  // false: a tensor died; only a base for other sets
  };
  static std::shared_ptr<const BoundWeights> MakeBound(const Entry& entry, std::shared_ptr<const WeightSet> set);
  const WeightMode mode_;
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<Entry>> entries_;  // most recently used first
  std::atomic<int64_t> builds_{0}, tasks_run_{0};
  void MoveToFront(size_t e);
  void DropForgotten();  // with mutex_ held
  std::mutex forgotten_mutex_;
  std::atomic<bool> any_forgotten_{false};
  std::vector<const at::TensorImpl*> forgotten_;
};

// Raised after every optimizer step of the process (torch_ge.dynamo registers the hook): unarmed tensors are then compared
// in full once.
void AdvanceOptimizerEpoch();

}  // namespace ge::torch_backend
