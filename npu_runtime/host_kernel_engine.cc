#include "npu_runtime/host_kernel_engine.h"

#include <cstring>

#include "ge_core/base/str.h"

namespace ge {
namespace {

std::vector<int64_t> Values(const std::vector<Dim>& dims) {
  std::vector<int64_t> out;
  for (const Dim& d : dims) out.push_back(d.value());
  return out;
}

// Copies between a dense row-major buffer and strided memory.
template <bool to_dense>
void CopyStrided(std::byte* dense, std::byte* strided, size_t element, const std::vector<int64_t>& sizes,
                 std::span<const int64_t> strides) {
  int64_t count = 1;
  for (int64_t s : sizes) count *= s;
  std::vector<int64_t> index(sizes.size());
  for (int64_t i = 0; i < count; ++i) {
    int64_t offset = 0;
    for (size_t d = 0; d < sizes.size(); ++d) offset += index[d] * strides[d];
    std::byte* far = strided + offset * static_cast<int64_t>(element);
    std::byte* near = dense + i * static_cast<int64_t>(element);
    std::memcpy(to_dense ? near : far, to_dense ? far : near, element);
    for (size_t d = sizes.size(); d-- > 0;) {
      if (++index[d] < sizes[d]) break;
      index[d] = 0;
    }
  }
}

class KernelExecutable final : public Executable {
 public:
  KernelExecutable(const Node& node, const HostKernel& kernel) : node_(node), kernel_(kernel) {}

  Status Run(KernelContext& context) const override {
    std::vector<Tensor> values(context.inputs.size());
    std::vector<const Tensor*> inputs(context.inputs.size());
    for (size_t i = 0; i < context.inputs.size(); ++i) {
      const Slot* s = context.inputs[i];
      if (!s) continue;
      const ValueType& type = node_.input(static_cast<int>(i))->type();
      if (!s->data && type.StaticNumElements() != 0) return Internal(StrCat("input ", i, " of '", node_.name(), "' has no memory"));
      values[i] = Tensor(type);
      CopyStrided<true>(values[i].mutable_data<std::byte>(), static_cast<std::byte*>(s->data), SizeOf(type.dtype()), Values(type.shape()),
                        {s->strides, static_cast<size_t>(s->ndim)});
      inputs[i] = &values[i];
    }
    std::vector<Tensor> outputs;
    for (int i = 0; i < node_.num_outputs(); ++i) outputs.emplace_back(node_.output(i)->type());
    Status status = kernel_.compute_from_node ? kernel_.compute_from_node(node_, outputs) : kernel_.compute({node_, inputs, outputs});
    if (!status.ok()) return std::move(status).Annotate(StrCat("in ", node_.op().name, " '", node_.name(), "' ", node_.loc()));
    for (size_t i = 0; i < outputs.size(); ++i) {
      const ValueType& type = node_.output(static_cast<int>(i))->type();
      CopyStrided<false>(outputs[i].mutable_data<std::byte>(), static_cast<std::byte*>(context.outputs[i]->data), SizeOf(type.dtype()),
                         Values(type.shape()), Values(type.Strides()));
    }
    return {};
  }

 private:
  const Node& node_;
  const HostKernel& kernel_;
};

Support Plain(const ValueType& type, std::string_view what) {
  if (!type.IsStatic()) return Support::No(StrCat(what, " is ", ToString(type), ": not a static tensor"));
  if (type.layout.kind == StorageLayout::Kind::kPacked) return Support::No(StrCat(what, " has a packed layout"));
  for (const Dim& d : type.Strides())
    if (!d.IsConst()) return Support::No(StrCat(what, " has symbolic strides"));
  return Support::Yes();
}

}  // namespace

Support HostKernelEngine::Supports(const Node& node) const {
  const HostKernel* kernel = kernels_.Find(node.op().name);
  if (!kernel || (!kernel->compute && !kernel->compute_from_node)) return Support::No(StrCat("no reference kernel for ", node.op().name));
  for (const Value* v : node.inputs()) {
    if (!v) continue;
    if (Support s = Plain(v->type(), "an operand"); !s.ok) return s;
  }
  for (int i = 0; i < node.num_outputs(); ++i)
    if (Support s = Plain(node.output(i)->type(), "a result"); !s.ok) return s;
  return Support::Yes();
}

Result<std::unique_ptr<Executable>> HostKernelEngine::Load(const Node& node) const {
  if (Support s = Supports(node); !s.ok) return Unimplemented(s.reason);
  return std::unique_ptr<Executable>(std::make_unique<KernelExecutable>(node, *kernels_.Find(node.op().name)));
}

}  // namespace ge
