#pragma once
// RunHost over PyTorch's allocator: what leaves the graph is an ordinary tensor.
#include <c10/core/impl/LocalDispatchKeySet.h>

#include "npu_runtime/loaded_model.h"

namespace ge::torch_backend {

// Our own bookkeeping is no operation of the user's program: his Python dispatch modes do not see it.
struct WithoutPythonModes {
  c10::impl::ExcludeDispatchKeyGuard guard{c10::DispatchKeySet({c10::DispatchKey::Python, c10::DispatchKey::PythonTLSSnapshot})};
};

class TorchHost final : public RunHost {
 public:
  Status AllocateFresh(const ValueType& type, Slot& slot) override;
  Status Restride(const ValueType& type, std::span<const int64_t> strides, Slot& slot) override;
  Status Clone(Slot& slot) override;
  Status MakeView(const Slot& base, Slot& view) override;
  Status WriteBack(Slot& target, const Slot& source) override;
  std::function<void()> ForOtherThread(std::function<void()> work) override;
  void KeepException(const std::exception_ptr& exception) override;
};

}  // namespace ge::torch_backend
