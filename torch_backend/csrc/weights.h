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
#include <ATen/ATen.h>

#include "npu_runtime/loaded_model.h"

namespace ge::torch_backend {

enum class WeightMode { kAuto, kChecked };

class WatchedTensor {
 public:
  static WatchedTensor Bind(const at::Tensor& t, WeightMode mode);
  // True if `t` is the bound tensor, unwritten. May re-arm a tensor that lost its clone to a reader.
  bool Unchanged(const at::Tensor& t, WeightMode mode, uint64_t epoch);
  // The tensor object has died: nobody can bring it again.
  bool expired() const { return impl_.expired(); }
  // Bound to this tensor object, whatever its contents.
  bool IsFor(const at::TensorImpl* t) const { return t == address_; }
  bool armed() const { return clone_.defined(); }

 private:
  c10::weak_intrusive_ptr<at::TensorImpl, at::UndefinedTensorImpl> impl_{c10::intrusive_ptr<at::TensorImpl, at::UndefinedTensorImpl>()};
  const at::TensorImpl* address_ = nullptr;
  const void* data_ = nullptr;
  at::Tensor clone_;     // armed
  at::Storage storage_;  // not armed
  int64_t version_ = -1;
  uint64_t fingerprint_ = 0, full_ = 0, epoch_ = 0;
  int trips_ = 0;
};

// The weight sets of one compiled model: bounded, least recently used goes first. Thread-safe.
class WeightCache {
 public:
  explicit WeightCache(WeightMode mode) : mode_(mode) {}
  // `inputs`: all inputs of the call; `positions`: those the constant stage reads. `make` builds a set for them.
  Result<std::shared_ptr<WeightSet>> Get(std::span<const at::Tensor> inputs, std::span<const int> positions,
                                         const std::function<Result<std::shared_ptr<WeightSet>>()>& make);
  void Clear();
  // The tensor object is dying: sets that were made from it hold its memory no longer. Never waits for a running Get.
  void Forget(const at::TensorImpl* tensor);
  size_t size() const;
  int64_t builds() const { return builds_; }

 private:
  static constexpr size_t kMaxSets = 16;
  struct Entry {
    std::vector<WatchedTensor> tensors;
    std::shared_ptr<WeightSet> set;
  };
  const WeightMode mode_;
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<Entry>> entries_;  // most recently used first
  std::atomic<int64_t> builds_{0};
  void DropForgotten();  // with mutex_ held
  std::mutex forgotten_mutex_;
  std::vector<const at::TensorImpl*> forgotten_;
};

// Raised after every optimizer step of the process (torch_ge.dynamo registers the hook): unarmed tensors are then compared
// in full once.
void AdvanceOptimizerEpoch();

}  // namespace ge::torch_backend
