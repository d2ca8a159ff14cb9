#pragma once
// The only door to oneDNN (2.6): descriptors of values, the process-wide engine, and Program, a list of primitives that
// runs as an Executable. Later oneDNN versions change the API; they change these two files.
//
// Everything that can throw dnnl::error is wrapped in Guard, so that callers see a Status.
#include <atomic>
#include <functional>
#include <mutex>

#include <dnnl.hpp>

#include "ge_core/base/str.h"
#include "ge_core/ir/engine.h"
#include "host_kernels/thread_count.h"

namespace ge::onednn {

using Dims = dnnl::memory::dims;
using Desc = dnnl::memory::desc;

dnnl::engine& CpuEngine();
// One stream a thread: a stream must not be entered by two threads at once.
dnnl::stream& CpuStream();

// The library's name of an element type; nullopt where it or this engine has none (f32 and bf16 are known).
std::optional<dnnl::memory::data_type> DataType(DType dtype);
// Dense or strided descriptor; the strides are in elements.
Desc PlainDesc(const Dims& dims, const Dims& strides, DType dtype);
// The library chooses the layout.
Desc AnyDesc(const Dims& dims, DType dtype);
// `desc` with the two axes of a matrix exchanged (no data moves).
Desc TransposedDesc(const Desc& desc);

// The tensor as it lies in memory (not for packed layouts). Where the order of axes is channels last, strides of axes of one
// element, which say nothing, are those of that order: the library recognises a layout by all its strides.
Desc DescOf(const ValueType& type);
// True: the elements lie in channels-last order without gaps (and not also in row-major order only by having one element).
bool IsChannelsLast(const ValueType& type);

// Static extents of a tensor type, and the strides its layout stands for (not for packed layouts).
Dims StaticDims(const ValueType& type);
Dims StaticStrides(const ValueType& type);

// Runs `body`, which may throw dnnl::error, and turns the exception into a Status that starts with `what`.
template <typename F>
auto Guard(std::string_view what, F&& body) -> decltype(body()) {
  try {
    return body();
  } catch (const dnnl::error& e) {
    const std::string message = StrCat("oneDNN refused ", what, ": ", e.message, " (status ", static_cast<int>(e.status), ")");
    return e.status == dnnl_unimplemented ? Unimplemented(message) : Internal(message);
  }
}

// Floating-point exception flags of the threads that run primitives. The library's vector code computes min and max such that
// a NaN operand vanishes; the instruction says so by the sticky flag "invalid operation". A kernel that clamps looks at it
// afterwards, at no cost inside the loop.
void ClearInvalidFlag(int threads);
bool ReadInvalidFlag(int threads);

// Primitives in order over numbered buffers. Built once by Load, immutable afterwards; Run may be entered by several
// threads: each run needs memory objects over its own pointers, of which one set is kept for the uncontended case.
class Program : public Executable {
 public:
  enum class Source : uint8_t { kInput, kOutput, kWorkspace };

  // Declares a buffer: operand `index` of the node, or (kWorkspace) a range reserved here. Returns its number.
  // `offset`: of `desc` in the operand's memory, in bytes.
  int AddOperand(Source source, int index, const Desc& desc, int64_t offset = 0);
  int AddWorkspace(const Desc& desc);
  // Appends a primitive. `arguments` pairs a DNNL_ARG_* with a buffer; a scratchpad is added when the primitive asks.
  void AddStep(dnnl::primitive primitive, std::vector<std::pair<int, int>> arguments, const Desc& scratchpad);
  // Appends a reorder from one buffer to another.
  void AddReorder(int from, int to);

  Status Run(KernelContext& context) const override;
  int64_t workspace_bytes() const override { return workspace_bytes_; }

  // Loads what runs instead, after the primitives, where they met a NaN that their clamps may have lost. Loaded when first
  // needed, with a workspace of its own.
  using MakeExact = std::function<Result<std::unique_ptr<Executable>>()>;
  void SetExact(MakeExact make) { make_exact_ = std::move(make); }

  // The work of one run. Below some 100,000 operations a second thread costs more than it brings: waking it takes microseconds.
  void SetOperations(double operations) { small_ = IsSmall(operations); }
  static bool IsSmall(double operations) { return operations < 2e5; }

 private:
  struct Buffer {
    Source source;
    int index;       // operand number
    int64_t offset;  // in bytes, in the operand's memory or the workspace
    Desc desc;
  };
  struct Step {
    dnnl::primitive primitive;
    std::vector<std::pair<int, int>> arguments;
  };
  // Memory objects of one run in flight.
  struct Binding {
    std::vector<dnnl::memory> memories;
    std::vector<std::vector<dnnl_exec_arg_t>> arguments;  // one list a step
  };
  std::unique_ptr<Binding> NewBinding() const;
  Status RunWith(Binding& binding, KernelContext& context) const;
  Status Execute(const Binding& binding) const;
  Status RunExact(KernelContext& context) const;

  bool small_ = false;
  MakeExact make_exact_;  // null: nothing to look for
  mutable std::once_flag exact_made_;
  mutable std::unique_ptr<Executable> exact_;  // null after exact_made_: exact_error_ says why
  mutable std::string exact_error_;
  mutable std::atomic<bool> clear_before_{false};  // something else in the program raises the flag: clear it first
  std::vector<Buffer> buffers_;
  std::vector<Step> steps_;
  int64_t workspace_bytes_ = 0;
  mutable std::atomic<Binding*> spare_{nullptr};

 public:
  ~Program() override { delete spare_.load(); }
};

}  // namespace ge::onednn
