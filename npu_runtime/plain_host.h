#pragma once
// RunHost for programs without PyTorch: results that leave the graph own reference-counted host memory.
#include "npu_runtime/loaded_model.h"

namespace ge {

class GE_API PlainHost final : public RunHost {
 public:
  Status AllocateFresh(const ValueType& type, Slot& slot) override;
  Status Restride(const ValueType& type, std::span<const int64_t> strides, Slot& slot) override;
  Status Clone(Slot& slot) override;
  Status MakeView(const Slot& base, Slot& view) override;
  Status WriteBack(Slot& target, const Slot& source) override;
};

}  // namespace ge
