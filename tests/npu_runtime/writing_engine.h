#pragma once
// An engine for tests: runs Assign as eager does, by writing the operand's memory.
#include <cstring>

#include "ge_core/ir/engine.h"

namespace ge {

class WritingEngine final : public Engine {
 public:
  std::string_view name() const override { return "writing"; }
  Support Supports(const Node& n) const override { return n.Is("Assign") ? Support::Yes() : Support::No("not mine"); }
  bool allocates_outputs() const override { return true; }
  Result<std::unique_ptr<Executable>> Load(const Node&) const override {
    struct Task final : Executable {
      Status Run(KernelContext& k) const override {
        Slot &to = *k.inputs[0], &from = *k.inputs[1], &out = *k.outputs[0];
        std::memcpy(to.data, from.data, static_cast<size_t>(to.sizes[0]) * sizeof(float));
        out.kind = to.kind, out.dtype = to.dtype, out.planned = to.planned, out.ndim = to.ndim;
        out.sizes = to.sizes, out.strides = to.strides, out.data = to.data;
        return {};
      }
    };
    return std::unique_ptr<Executable>(std::make_unique<Task>());
  }
};

}  // namespace ge
