#pragma once
// One node on the engine that placement would give it, its weights packed as that engine wishes, ready to run again and again.
#include <memory>

#include "ge_core/ir/engine.h"
#include "tests/benchmarks/kernels/kernel_case.h"

namespace ge::bench {

// Memory of one value, 64-byte aligned, filled with numbers of magnitude 1.
class Buffer {
 public:
  explicit Buffer(const ValueType& type);
  void* data() { return data_.get(); }

 private:
  struct Free {
    void operator()(float* p) const;
  };
  std::unique_ptr<float[], Free> data_;
};

class NodeRunner {
 public:
  static Result<std::unique_ptr<NodeRunner>> Create(const KernelCase& kernel_case, int threads);

  Status Run();
  const Engine& engine() const { return *engine_; }
  // Of inputs and outputs, as the model sees them: blocks of packed weights may be larger.
  double bytes() const { return bytes_; }

 private:
  NodeRunner() = default;
  // Binds the node's memory; `inputs` in the layouts in which the node reads them.
  Status Bind(const Node& node, std::vector<Buffer> inputs, int threads);

  std::unique_ptr<Module> module_;
  const Engine* engine_ = nullptr;
  std::unique_ptr<Executable> kernel_;
  std::vector<Buffer> buffers_;
  std::vector<Slot> slots_;
  std::vector<Slot*> inputs_, outputs_;
  std::unique_ptr<Buffer> workspace_;
  KernelContext context_;
  double bytes_ = 0;
};

}  // namespace ge::bench
