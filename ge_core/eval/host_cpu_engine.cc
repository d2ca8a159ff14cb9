#include "ge_core/eval/host_cpu_engine.h"

#include <dlfcn.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <new>
#include <stdexcept>

#include "ge_core/base/str.h"
#include "ge_core/ir/signature.h"

namespace ge {
namespace {

Status CheckOutputs(const Node& node, const std::vector<Tensor>& outputs, std::string_view who) {
  if (static_cast<int>(outputs.size()) != node.num_outputs())
    return Internal(StrCat(who, " gave ", outputs.size(), " outputs for node '", node.name(), "' (", node.op().name, "), expected ",
                           node.num_outputs()));
  for (int i = 0; i < node.num_outputs(); ++i) {
    const Tensor& t = outputs[static_cast<size_t>(i)];
    const ValueType& want = node.output(i)->type();
    bool fits = t.defined() && want.IsTensor() && t.dtype() == want.dtype() && t.type().rank() == want.rank();
    for (size_t d = 0; fits && d < want.shape().size(); ++d) fits = !CertainlyDifferent(t.type().shape()[d], want.shape()[d]);
    if (!fits)
      return Internal(StrCat(who, " gave ", t.defined() ? ToString(t.type()) : std::string("nothing"), " for output ", i, " of node '",
                             node.name(), "' (", node.op().name, "), expected ", ToString(want)));
  }
  return {};
}

// The output types for these operands: the node's own where operands and results are static, else inferred again from the
// actual values. Extents that only symbols promised to agree may not do so now (a concatenation of s0 and 2 rows): then the
// inference fails as the operator itself would, and no kernel sees operands that do not fit.
Result<std::vector<ValueType>> ConcreteTypes(const Node& node, std::span<const Tensor* const> inputs) {
  std::vector<ValueType> types;
  bool is_static = true;
  for (int i = 0; i < node.num_outputs(); ++i) {
    types.push_back(node.output(i)->type());
    is_static &= types.back().IsStatic();
  }
  for (int i = 0; i < node.num_inputs(); ++i) {
    const Tensor* t = static_cast<size_t>(i) < inputs.size() ? inputs[static_cast<size_t>(i)] : nullptr;
    if (!node.input(i) || !t) continue;
    const ValueType& type = node.input(i)->type();
    is_static &= type.IsStatic();
    if (type.IsTensor() && !CompatibleType(type, t->type()))
      return InvalidArgument(StrCat("input ", i, " of node '", node.name(), "' (", node.op().name, ") is ", ToString(t->type()),
                                    ", expected ", ToString(type)));
  }
  if (!is_static && node.op().infer) {
    std::vector<const ValueType*> in;
    for (const Tensor* t : inputs) in.push_back(t ? &t->type() : nullptr);
    InferContext context{node.op(), in, node.attrs(),
                         [&](int i) { return static_cast<size_t>(i) < inputs.size() ? inputs[static_cast<size_t>(i)] : nullptr; }};
    GE_ASSIGN_OR_RETURN(std::vector<ValueType> inferred, node.op().infer(context));
    for (size_t i = 0; i < types.size(); ++i)
      if (i >= inferred.size() || !CompatibleType(inferred[i], types[i]))
        return InvalidArgument(StrCat("result ", i, " of node '", node.name(), "' (", node.op().name, ") is promised as ",
                                      ToString(types[i]), ", its operands give ",
                                      i < inferred.size() ? ToString(inferred[i]) : std::string("nothing")));
    types = std::move(inferred);
  }
  for (const ValueType& type : types)
    if (!type.IsStatic())
      return Unimplemented(StrCat("a result of node '", node.name(), "' (", node.op().name, ") has the type ", ToString(type),
                                  "; a host kernel needs a static shape"));
  return types;
}

Status OutOfMemory(const Node& node) {
  return FailedPrecondition(StrCat("memory ran out while computing node '", node.name(), "' (", node.op().name, ")"));
}

// Static types that together need more than `limit` bytes are refused; the product of the extents may exceed 64 bits.
Status CheckSize(const Node& node, std::span<const ValueType> types, int64_t limit) {
  int64_t left = limit;
  for (const ValueType& type : types) {
    int64_t bytes = static_cast<int64_t>(SizeOf(type.dtype()));
    bool fits = true, empty = false;
    for (const Dim& d : type.shape()) {
      empty |= d.Is(0);
      fits = fits && d.value() >= 0 && !__builtin_mul_overflow(bytes, d.value(), &bytes);
    }
    if (empty) continue;
    if (!fits || bytes > left)
      return FailedPrecondition(StrCat("a result of node '", node.name(), "' (", node.op().name, ") has the type ", ToString(type),
                                       ", over the limit of ", limit, " bytes for what is computed ahead of time"));
    left -= bytes;
  }
  return {};
}

// A zero-filled tensor. (The constructor of Tensor takes want of memory for a programmer's mistake.)
Result<Tensor> Allocate(const Node& node, const ValueType& type) {
  bool empty = false;
  for (const Dim& d : type.shape()) empty |= d.Is(0);
  const size_t bytes = empty ? 64 : (static_cast<size_t>(type.StaticBytes()) + 63) / 64 * 64;
  std::shared_ptr<void> memory(std::aligned_alloc(64, bytes), std::free);
  if (!memory) return OutOfMemory(node);
  std::memset(memory.get(), 0, bytes);
  return Tensor(type, memory, memory.get());
}

// Runs fn; an exception becomes a failure. Neither level should throw, but a library from elsewhere may.
template <typename Fn>
Status Guarded(const Node& node, Fn&& fn) {
  const auto raised = [&](std::string_view what) {
    return Internal(StrCat("computing node '", node.name(), "' (", node.op().name, ") raised: ", what));
  };
  try {
    return fn();
  } catch (const std::bad_alloc&) {
    return OutOfMemory(node);
  } catch (const std::length_error&) {  // a container larger than the address space
    return OutOfMemory(node);
  } catch (const std::exception& e) { return raised(e.what()); } catch (...) {
    return raised("an exception of unknown type");
  }
}

}  // namespace

HostCpuEngine::HostCpuEngine(const KernelFactory* kernels, std::string library_path) : kernels_(kernels), path_(std::move(library_path)) {}

HostCpuEngine::HostCpuEngine(const KernelFactory* kernels, const HostCpuLibrary* library) : kernels_(kernels), library_(library) {
  if (!library_) reason_ = "no library was given";
}

const HostCpuLibrary* HostCpuEngine::library() const {
  std::call_once(opened_, [this] {
    if (library_) return;
    if (path_.empty()) {
      if (reason_.empty()) reason_ = "no library was asked for";
      return;
    }
    // Never closed: kernels registered by the library stay referenced for the life of the process.
    void* handle = dlopen(path_.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
      const char* error = dlerror();
      reason_ = StrCat("cannot open ", path_, ": ", error ? error : "unknown error");
      return;
    }
    auto get = reinterpret_cast<HostCpuLibraryFn>(dlsym(handle, kHostCpuSymbol));
    const HostCpuLibrary* table = get ? get() : nullptr;
    if (!table || !table->run) {
      reason_ = StrCat(path_, " has no usable symbol ", kHostCpuSymbol, "()");
    } else if (table->abi_version != kHostCpuAbiVersion) {
      reason_ =
          StrCat(path_, " was built for interface version ", table->abi_version, ", this build has ", kHostCpuAbiVersion, ": rebuild it");
    } else {
      library_ = table;
    }
  });
  return library_;
}

bool HostCpuEngine::has_library() const { return library() != nullptr; }

std::string HostCpuEngine::library_reason() const {
  library();
  return reason_;
}

Result<HostCpuEngine::Evaluation> HostCpuEngine::Run(const Node& node, std::span<const Tensor* const> inputs) const {
  if (library()) {
    Result<std::vector<Tensor>> outputs = Timed(Level::kLibrary, node, inputs);
    if (outputs.ok()) return Evaluation{*std::move(outputs), Level::kLibrary};
    // Only "no kernel" passes on to level 2. Where ATen raises, the built-in kernel must not produce a value instead.
    if (outputs.code() != Code::kUnimplemented) return std::move(outputs).status();
  }
  GE_ASSIGN_OR_RETURN(std::vector<Tensor> outputs, Timed(Level::kKernels, node, inputs));
  return Evaluation{std::move(outputs), Level::kKernels};
}

Result<std::vector<Tensor>> HostCpuEngine::RunHostCpuKernel(const Node& node, std::span<const Tensor* const> inputs) const {
  const HostCpuLibrary* lib = library();
  if (!lib) return Unimplemented(StrCat("no host CPU library runs node '", node.name(), "' (", node.op().name, "): ", reason_));
  for (int i = 0; i < node.num_outputs(); ++i)
    if (const ValueType& type = node.output(i)->type(); type.IsTensor() && type.IsStatic())
      GE_RETURN_IF_ERROR(CheckSize(node, {&type, 1}, limits_.max_result_bytes));
  std::vector<Tensor> outputs;
  GE_RETURN_IF_ERROR(Guarded(node, [&] { return lib->run(node, inputs, outputs); }));
  GE_RETURN_IF_ERROR(CheckOutputs(node, outputs, "libconstant_folding_ops"));
  return outputs;
}

Result<std::vector<Tensor>> HostCpuEngine::RunBuiltInKernel(const Node& node, std::span<const Tensor* const> inputs) const {
  const HostKernel* kernel = kernels_ ? kernels_->Find(node.op().name) : nullptr;
  if (!kernel || (!kernel->compute && !kernel->compute_from_node))
    return Unimplemented(StrCat("no host kernel computes ", node.op().name, " (node '", node.name(), "')"));
  std::vector<Tensor> outputs;
  GE_RETURN_IF_ERROR(Guarded(node, [&]() -> Status {
    GE_ASSIGN_OR_RETURN(const std::vector<ValueType> types, ConcreteTypes(node, inputs));
    GE_RETURN_IF_ERROR(CheckSize(node, types, limits_.max_result_bytes));
    for (const ValueType& type : types) {
      GE_ASSIGN_OR_RETURN(Tensor output, Allocate(node, type));
      outputs.push_back(std::move(output));
    }
    Status status = kernel->compute ? kernel->compute({node, inputs, outputs}) : kernel->compute_from_node(node, outputs);
    return std::move(status).Annotate(StrCat("while running the host kernel of node '", node.name(), "'"));
  }));
  return outputs;
}

Result<std::vector<Tensor>> HostCpuEngine::Timed(Level level, const Node& node, std::span<const Tensor* const> inputs) const {
  const auto start = std::chrono::steady_clock::now();
  Result<std::vector<Tensor>> outputs = level == Level::kLibrary ? RunHostCpuKernel(node, inputs) : RunBuiltInKernel(node, inputs);
  if (outputs.code() == Code::kUnimplemented) return outputs;
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::lock_guard lock(statistics_mutex_);
  Statistic& s = statistics_[static_cast<int>(level) - 1][std::string(node.op().name)];
  ++s.calls;
  s.seconds += seconds;
  return outputs;
}

HostCpuEngine::Statistics HostCpuEngine::statistics(Level level) const {
  std::lock_guard lock(statistics_mutex_);
  return statistics_[static_cast<int>(level) - 1];
}

}  // namespace ge
