#include "host_kernels/onednn/api.h"

#include <omp.h>
#include <xmmintrin.h>

#include "host_kernels/float_state.h"

namespace ge::onednn {
dnnl::engine& CpuEngine() {
  static auto* engine = new dnnl::engine(dnnl::engine::kind::cpu, 0);  // never destroyed: engines live for the process
  return *engine;
}

dnnl::stream& CpuStream() {
  static thread_local dnnl::stream stream(CpuEngine());
  return stream;
}

std::optional<dnnl::memory::data_type> DataType(DType dtype) {
  if (dtype == DType::kF32) return dnnl::memory::data_type::f32;
  if (dtype == DType::kBF16) return dnnl::memory::data_type::bf16;
  return std::nullopt;
}

Desc PlainDesc(const Dims& dims, const Dims& strides, DType dtype) { return Desc(dims, *DataType(dtype), strides); }

Desc AnyDesc(const Dims& dims, DType dtype) { return Desc(dims, *DataType(dtype), dnnl::memory::format_tag::any); }

bool IsChannelsLast(const ValueType& type) {
  if (type.rank() < 3 || type.layout.kind == StorageLayout::Kind::kPacked) return false;
  const Dims dims = StaticDims(type), strides = StaticStrides(type);
  int64_t expected = dims[1];
  if (dims[1] != 1 && strides[1] != 1) return false;
  for (size_t i = dims.size(); i-- > 2; expected *= dims[i])
    if (dims[i] != 1 && strides[i] != expected) return false;
  return dims[0] == 1 || strides[0] == expected;
}

Desc DescOf(const ValueType& type) {
  const Dims dims = StaticDims(type);
  Dims strides = StaticStrides(type);
  if (IsChannelsLast(type)) {
    int64_t step = dims[1];
    strides[1] = 1;
    for (size_t i = dims.size(); i-- > 2; step *= dims[i]) strides[i] = step;
    strides[0] = step;
  }
  return PlainDesc(dims, strides, type.dtype());
}

void ClearInvalidFlag(int threads) {
  const auto clear = [] { _mm_setcsr(_mm_getcsr() & ~static_cast<unsigned>(_MM_EXCEPT_INVALID)); };
  if (threads <= 1) return clear();
#pragma omp parallel num_threads(threads)
  clear();
}

bool ReadInvalidFlag(int threads) {
  if (threads <= 1) return (_mm_getcsr() & _MM_EXCEPT_INVALID) != 0;
  unsigned flags = 0;
#pragma omp parallel num_threads(threads) reduction(| : flags)
  flags |= _mm_getcsr();
  return (flags & _MM_EXCEPT_INVALID) != 0;
}

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

int Program::AddOperand(Source source, int index, const Desc& desc, int64_t offset) {
  buffers_.push_back({source, index, offset, desc});
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

Status Program::RunWith(Binding& binding, KernelContext& context) const {
  for (size_t i = 0; i < buffers_.size(); ++i) {
    const Buffer& b = buffers_[i];
    void* data = nullptr;
    if (b.source == Source::kWorkspace) {
      data = context.workspace + b.offset;
    } else {
      const auto& slots = b.source == Source::kInput ? context.inputs : context.outputs;
      const Slot* slot = static_cast<size_t>(b.index) < slots.size() ? slots[static_cast<size_t>(b.index)] : nullptr;
      data = slot && slot->data ? static_cast<std::byte*>(slot->data) + b.offset : nullptr;
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
  const int num_threads = small_ ? 1 : context.num_threads;
  const ThreadCount threads(num_threads);
  FloatState::Carry(num_threads);
  if (!make_exact_) return Execute(binding);
  if (clear_before_.load(std::memory_order_relaxed)) ClearInvalidFlag(num_threads);
  GE_RETURN_IF_ERROR(Execute(binding));
  if (!ReadInvalidFlag(num_threads)) return {};
  if (!clear_before_.exchange(true, std::memory_order_relaxed)) {
    // Perhaps the flag was up before. Once more, to tell; from now on it is cleared first.
    ClearInvalidFlag(num_threads);
    GE_RETURN_IF_ERROR(Execute(binding));
    if (!ReadInvalidFlag(num_threads)) return {};
  }
  return RunExact(context);
}

Status Program::Execute(const Binding& binding) const {
  const dnnl_stream_t stream = CpuStream().get();
  for (size_t i = 0; i < steps_.size(); ++i) {
    const auto& args = binding.arguments[i];
    const dnnl_status_t status = dnnl_primitive_execute(steps_[i].primitive.get(), stream, static_cast<int>(args.size()), args.data());
    if (status != dnnl_success)
      return Internal(StrCat("oneDNN kernel: executing step ", i, " failed with status ", static_cast<int>(status)));
  }
  return {};
}

Status Program::RunExact(KernelContext& context) const {
  std::call_once(exact_made_, [this] {
    auto made = make_exact_();
    if (made.ok())
      exact_ = *std::move(made);
    else
      exact_error_ = made.message();
  });
  if (!exact_) return Internal("oneDNN kernel: cannot load the program that keeps NaN: " + exact_error_);
  std::vector<std::byte> memory(static_cast<size_t>(exact_->workspace_bytes()) + 63);
  KernelContext own;
  own.inputs = context.inputs;
  own.outputs = context.outputs;
  own.num_threads = context.num_threads;
  own.workspace = reinterpret_cast<std::byte*>((reinterpret_cast<uintptr_t>(memory.data()) + 63) & ~uintptr_t{63});
  return exact_->Run(own);
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
