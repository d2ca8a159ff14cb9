#pragma once
// Engine: who runs a node. Placement asks each engine in order; the first that supports the node gets it. The loader
// then asks that engine for an Executable: everything resolved, immutable, entered by several threads at once.
//
// This header holds interfaces only: engines (host_kernels/onednn, jit, aten) and the runtime meet here.
#include <atomic>
#include <exception>

#include "ge_core/ir/graph.h"

namespace ge {

// An engine-owned, reference-counted object behind a slot, for example an at::Tensor. Owns one reference.
class GE_API Holder {
 public:
  struct Ops {
    void (*retain)(void* object);
    void (*release)(void* object);
  };
  Holder() = default;
  Holder(void* object, const Ops* ops) : object_(object), ops_(ops) {}  // takes over one reference
  Holder Share() const {
    if (object_) ops_->retain(object_);
    return {object_, ops_};
  }
  Holder(Holder&& o) noexcept : object_(o.object_), ops_(o.ops_) { o.object_ = nullptr; }
  Holder& operator=(Holder&& o) noexcept {
    if (this != &o) {
      reset();
      object_ = o.object_;
      ops_ = o.ops_;
      o.object_ = nullptr;
    }
    return *this;
  }
  Holder(const Holder&) = delete;
  Holder& operator=(const Holder&) = delete;
  ~Holder() { reset(); }
  void reset() {
    if (object_) {
      ops_->release(object_);
      object_ = nullptr;
    }
  }
  void* get() const { return object_; }
  const Ops* ops() const { return ops_; }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  void* object_ = nullptr;
  const Ops* ops_ = nullptr;
};

// Where a value lives during one run. Sizes and strides point into the plan (static), or into the holder's object.
struct Slot {
  ValueType::Kind kind = ValueType::Kind::kOpaque;
  DType dtype = DType::kF32;
  bool planned = false;  // data points into the arena, an output or a constant: do not replace it
  int32_t ndim = 0;
  const int64_t* sizes = nullptr;
  const int64_t* strides = nullptr;  // in elements
  void* data = nullptr;              // element 0; null for opaque values and where a holder has not materialised
  union {
    int64_t i;
    double f;
    bool b;
  } sym{0};
  Holder object;  // at::Tensor (ATen engine), Python object, ...
};

struct KernelContext {
  std::span<Slot* const> inputs;  // null where an optional input is absent
  std::span<Slot* const> outputs;
  std::byte* workspace = nullptr;           // Executable::workspace_bytes() of it, 64-byte aligned
  int num_threads = 1;                      // what torch.set_num_threads says at call time
  std::exception_ptr* exception = nullptr;  // set together with Code::kForeign
  const void* run_state = nullptr;          // the runtime's own (control flow re-enters it)
};

class GE_API Executable {
 public:
  virtual ~Executable();
  virtual Status Run(KernelContext& context) const = 0;
  virtual int64_t workspace_bytes() const { return 0; }
};

// Answer to "can you run this node?". Empty reason = yes.
struct Support {
  bool ok = false;
  std::string reason;
  static Support Yes() { return {true, {}}; }
  static Support No(std::string why) { return {false, std::move(why)}; }
};

// An engine's wish for the storage layout of one operand of one node. Packed layouts are for weights: the prepack pass
// grants them, by a TransData node that runs once a weight set. Strided ones are for activations: layout-assignment grants
// them where that saves more reorders than it costs.
struct LayoutPreference {
  enum class Side : uint8_t { kInput, kOutput };
  Side side;
  int operand;  // number of the input or output
  StorageLayout layout;
};

class OpsKernelBuilder;  // ge_core/engine/ops_kernel_builder.h

class GE_API Engine {
 public:
  virtual ~Engine();
  virtual std::string_view name() const = 0;
  // Decides from types, attributes and layouts only. Static: the answer for equal nodes is equal.
  virtual Support Supports(const Node& node) const = 0;
  // Layouts in which `node` would like its operands; asked only where Supports said yes.
  virtual std::vector<LayoutPreference> Preferences(const Node&) const { return {}; }
  virtual Result<std::unique_ptr<Executable>> Load(const Node& node) const = 0;
  // True: outputs are allocated by the engine at run time (ATen); false: written into planned memory.
  virtual bool allocates_outputs() const { return false; }
  // False: nodes it takes never run, and results are the operand's memory (DNN_VM_GE_LOCAL); Load is not called.
  virtual bool has_kernels() const { return true; }
  // What placement asks about a node before it is given to the engine; null: nothing.
  virtual const OpsKernelBuilder* builder() const { return nullptr; }
};

// Engines in placement order. Borrowed: the composition root owns them for the life of the process.
using EngineList = std::vector<const Engine*>;

}  // namespace ge
