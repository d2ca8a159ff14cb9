#include "host_kernels/onednn/api.h"

#include <omp.h>

namespace ge::onednn {
dnnl::engine& CpuEngine() {
  static auto* engine = new dnnl::engine(dnnl::engine::kind::cpu, 0);  // never destroyed: engines live for the process
  return *engine;
}

dnnl::stream& CpuStream() {
  static thread_local dnnl::stream stream(CpuEngine());
  return stream;
}

Desc PlainDesc(const Dims& dims, const Dims& strides) { return Desc(dims, dnnl::memory::data_type::f32, strides); }

Desc AnyDesc(const Dims& dims) { return Desc(dims, dnnl::memory::data_type::f32, dnnl::memory::format_tag::any); }

Desc TransposedDesc(const Desc& desc) { return desc.permute_axes({1, 0}); }

Dims StaticDims(const ValueType& type) {
  Dims dims;
  for (const Dim& d : type.shape()) dims.push_back(d.value());
  return dims;
}

Dims StaticStrides(const ValueType& type) {
  Dims strides;
  for (const Dim& d : type.Strides()) strides.push_back(d.value());
  return strides;
}

int Program::AddOperand(Source source, int index, const Desc& desc) {
  buffers_.push_back({source, index, 0, desc});
  return static_cast<int>(buffers_.size()) - 1;
}

int Program::AddWorkspace(const Desc& desc) {
  buffers_.push_back({Source::kWorkspace, 0, workspace_bytes_, desc});
  workspace_bytes_ += (static_cast<int64_t>(desc.get_size()) + 63) / 64 * 64;
  return static_cast<int>(buffers_.size()) - 1;
}

void Program::AddStep(dnnl::primitive primitive, std::vector<std::pair<int, int>> arguments, const Desc& scratchpad) {
  if (scratchpad.get_size() > 0) arguments.emplace_back(DNNL_ARG_SCRATCHPAD, AddWorkspace(scratchpad));
  steps_.push_back({std::move(primitive), std::move(arguments)});
}

void Program::AddReorder(int from, int to) {
  dnnl::primitive_attr attr;
  attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  const Desc& src = buffers_[static_cast<size_t>(from)].desc;
  const Desc& dst = buffers_[static_cast<size_t>(to)].desc;
  const dnnl::reorder::primitive_desc pd(CpuEngine(), src, CpuEngine(), dst, attr);
  AddStep(dnnl::reorder(pd), {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}}, pd.scratchpad_desc());
}

std::unique_ptr<Program::Binding> Program::NewBinding() const {
  auto binding = std::make_unique<Binding>();
  for (const Buffer& b : buffers_) binding->memories.push_back(dnnl::memory(b.desc, CpuEngine(), DNNL_MEMORY_NONE));
  for (const Step& s : steps_) {
    auto& list = binding->arguments.emplace_back();
    for (auto [arg, buffer] : s.arguments) list.push_back({arg, binding->memories[static_cast<size_t>(buffer)].get()});
  }
  return binding;
}

ThreadCount::ThreadCount(int wanted) : before_(omp_get_max_threads()), changed_(wanted > 0 && wanted != before_) {
  if (changed_) omp_set_num_threads(wanted);
}
ThreadCount::~ThreadCount() {
  if (changed_) omp_set_num_threads(before_);
}

Status Program::RunWith(Binding& binding, KernelContext& context) const {
  for (size_t i = 0; i < buffers_.size(); ++i) {
    const Buffer& b = buffers_[i];
    void* data = nullptr;
    if (b.source == Source::kWorkspace) {
      data = context.workspace + b.offset;
    } else {
      const auto& slots = b.source == Source::kInput ? context.inputs : context.outputs;
      const Slot* slot = static_cast<size_t>(b.index) < slots.size() ? slots[static_cast<size_t>(b.index)] : nullptr;
      data = slot ? slot->data : nullptr;
    }
    if (!data) {
      return Internal(StrCat("oneDNN kernel: ",
                             b.source == Source::kInput    ? "input "
                             : b.source == Source::kOutput ? "output "
                                                           : "workspace for buffer ",
                             b.source == Source::kWorkspace ? static_cast<int>(i) : b.index,
                             " has no memory; the executor must bind it before Run"));
    }
    // The C form: no exception and no look-up on the hot path.
    if (dnnl_memory_set_data_handle(binding.memories[i].get(), data) != dnnl_success)
      return Internal("oneDNN kernel: cannot set a data handle");
  }
  const ThreadCount threads(small_ ? 1 : context.num_threads);
  const dnnl_stream_t stream = CpuStream().get();
  for (size_t i = 0; i < steps_.size(); ++i) {
    const auto& args = binding.arguments[i];
    const dnnl_status_t status = dnnl_primitive_execute(steps_[i].primitive.get(), stream, static_cast<int>(args.size()), args.data());
    if (status != dnnl_success)
      return Internal(StrCat("oneDNN kernel: executing step ", i, " failed with status ", static_cast<int>(status)));
  }
  return {};
}

Status Program::Run(KernelContext& context) const {
  return Guard("to run a kernel", [&]() -> Status {
    std::unique_ptr<Binding> binding(spare_.exchange(nullptr, std::memory_order_acquire));
    if (!binding) binding = NewBinding();
    Status status = RunWith(*binding, context);
    Binding* none = nullptr;
    if (spare_.compare_exchange_strong(none, binding.get(), std::memory_order_release)) (void)binding.release();
    return status;
  });
}

}  // namespace ge::onednn
