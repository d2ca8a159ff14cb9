#include "ge_core/eval/host_cpu_engine.h"

#include <dlfcn.h>

#include "ge_core/base/str.h"

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

// The output types for these operands: the node's own where they are static, else inferred again from the actual values.
Result<std::vector<ValueType>> ConcreteTypes(const Node& node, std::span<const Tensor* const> inputs) {
  std::vector<ValueType> types;
  bool is_static = true;
  for (int i = 0; i < node.num_outputs(); ++i) {
    types.push_back(node.output(i)->type());
    is_static &= types.back().IsStatic();
  }
  if (!is_static && node.op().infer) {
    std::vector<const ValueType*> in;
    for (const Tensor* t : inputs) in.push_back(t ? &t->type() : nullptr);
    InferContext context{node.op(), in, node.attrs(),
                         [&](int i) { return static_cast<size_t>(i) < inputs.size() ? inputs[static_cast<size_t>(i)] : nullptr; }};
    GE_ASSIGN_OR_RETURN(types, node.op().infer(context));
  }
  for (const ValueType& type : types)
    if (!type.IsStatic())
      return Unimplemented(StrCat("a result of node '", node.name(), "' (", node.op().name, ") has the type ", ToString(type),
                                  "; a host kernel needs a static shape"));
  return types;
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
  Evaluation result;
  if (const HostCpuLibrary* lib = library()) {
    Status status = lib->run(node, inputs, result.outputs);
    if (status.ok()) {
      GE_RETURN_IF_ERROR(CheckOutputs(node, result.outputs, "libconstant_folding_ops"));
      result.level = Level::kLibrary;
      return result;
    }
    // Only "no kernel" passes on to level 2. Where ATen raises, the built-in kernel must not produce a value instead.
    if (status.code() != Code::kUnimplemented) return status;
    result.outputs.clear();
  }

  const HostKernel* kernel = kernels_ ? kernels_->Find(node.op().name) : nullptr;
  if (!kernel || (!kernel->compute && !kernel->compute_from_node))
    return Unimplemented(StrCat("no host kernel computes ", node.op().name, " (node '", node.name(), "')"));
  GE_ASSIGN_OR_RETURN(const std::vector<ValueType> types, ConcreteTypes(node, inputs));
  for (const ValueType& type : types) result.outputs.emplace_back(type);
  if (kernel->compute) {
    GE_RETURN_IF_ERROR(
        kernel->compute({node, inputs, result.outputs}).Annotate(StrCat("while running the host kernel of node '", node.name(), "'")));
  } else {
    GE_RETURN_IF_ERROR(
        kernel->compute_from_node(node, result.outputs).Annotate(StrCat("while running the host kernel of node '", node.name(), "'")));
  }
  return result;
}

}  // namespace ge
