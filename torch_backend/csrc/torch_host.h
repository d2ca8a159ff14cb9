#pragma once
// RunHost over PyTorch's allocator: what leaves the graph is an ordinary tensor.
#include "npu_runtime/loaded_model.h"

namespace ge::torch_backend {

class TorchHost final : public RunHost {
 public:
  Status AllocateFresh(const ValueType& type, Slot& slot) override;
  Status Restride(const ValueType& type, std::span<const int64_t> strides, Slot& slot) override;
  Status Clone(Slot& slot) override;
};

}  // namespace ge::torch_backend
