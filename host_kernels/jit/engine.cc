// libge_jit.so: FusedRegion and single element-wise nodes as one loop each, compiled in-process (design §5).
#include <omp.h>

#include "host_kernels/float_state.h"
#include "host_kernels/jit/compiler.h"

namespace ge::jit {
namespace {

// Below this many elements a thread, starting threads costs more than it saves (eager's grain size).
constexpr int64_t kElementsPerThread = 32768;
constexpr int64_t kVectorAlign = 64;  // elements; ranges of threads meet between cache lines

class RegionExecutable : public Executable {
 public:
  RegionExecutable(Region region, std::shared_ptr<const CompiledRegion> code) : region_(std::move(region)), code_(std::move(code)) {
    for (const RegionInput& i : region_.inputs) element_bytes_.push_back(i.type == ElementType::kBool ? 1 : 4);
    for (int o : region_.outputs) element_bytes_.push_back(region_.TypeOf(o) == ElementType::kBool ? 1 : 4);
  }

  Status Run(KernelContext& context) const override {
    const size_t num_inputs = region_.inputs.size(), count = element_bytes_.size();
    if (context.outputs.size() != count - num_inputs)
      return Internal(StrCat("JIT kernel: bound to ", context.outputs.size(), " outputs; expected ", count - num_inputs));
    char* base[kMaxPointers];
    for (size_t i = 0; i < count; ++i) {
      const size_t input = i < num_inputs ? static_cast<size_t>(region_.inputs[i].slot) : 0;
      if (i < num_inputs && input >= context.inputs.size())
        return Internal(StrCat("JIT kernel: bound to ", context.inputs.size(), " inputs; expected more than ", input));
      const Slot* slot = i < num_inputs ? context.inputs[input] : context.outputs[i - num_inputs];
      if (!slot || !slot->data) return Internal(StrCat("JIT kernel: operand ", i, " has no memory; the executor must bind it before Run"));
      base[i] = static_cast<char*>(slot->data);
    }
    const int64_t total = region_.num_elements;
    const int threads = static_cast<int>(std::min<int64_t>(context.num_threads, total / kElementsPerThread));
    if (threads <= 1) {
      RunRange(base, 0, total);
      return {};
    }
    const FloatState state;
#pragma omp parallel num_threads(threads)
    {
      state.Adopt();
      // The team may be smaller than asked for: split by its true size.
      const int64_t team = omp_get_num_threads(), me = omp_get_thread_num();
      const int64_t share = ((total + team - 1) / team + kVectorAlign - 1) / kVectorAlign * kVectorAlign;
      const int64_t begin = std::min(total, me * share);
      RunRange(base, begin, std::min(total, begin + share));
    }
    return {};
  }

 private:
  static constexpr size_t kMaxPointers = kMaxOperands, kMaxRank = kMaxAxes;

  // Elements [begin, end) in iteration order, row by row.
  void RunRange(char* const* base, int64_t begin, int64_t end) const {
    const size_t rank = region_.dims.size(), num_inputs = region_.inputs.size(), count = element_bytes_.size();
    const int64_t row = region_.dims.back();
    void* pointers[kMaxPointers];
    for (size_t i = num_inputs; i < count; ++i) pointers[i] = base[i] + begin * element_bytes_[i];
    // Divisions only here: from row to row the position counts up like an odometer.
    int64_t index[kMaxRank];
    int64_t rest = begin / row, column = begin % row;
    for (size_t k = rank - 1; k-- > 0; rest /= region_.dims[k]) index[k] = rest % region_.dims[k];
    for (size_t i = 0; i < num_inputs; ++i) {
      const auto& strides = region_.inputs[i].strides;
      int64_t offset = 0;
      for (size_t k = 0; k + 1 < rank; ++k) offset += index[k] * strides[k];
      pointers[i] = base[i] + offset * element_bytes_[i];
      if (column) pointers[i] = static_cast<char*>(pointers[i]) + column * strides[rank - 1] * element_bytes_[i];
    }
    while (begin < end) {
      const int64_t length = std::min(end - begin, row - column);
      code_->run(pointers, length);
      begin += length;
      if (begin == end) return;
      // To the start of the next row: axis k steps by one, those inside of it return to 0.
      size_t k = rank - 2;
      while (++index[k] == region_.dims[k]) index[k--] = 0;
      for (size_t i = 0; i < num_inputs; ++i) {
        const auto& strides = region_.inputs[i].strides;
        int64_t step = strides[k] - column * strides[rank - 1];
        for (size_t inner = k + 1; inner + 1 < rank; ++inner) step -= (region_.dims[inner] - 1) * strides[inner];
        pointers[i] = static_cast<char*>(pointers[i]) + step * element_bytes_[i];
      }
      for (size_t i = num_inputs; i < count; ++i) pointers[i] = static_cast<char*>(pointers[i]) + length * element_bytes_[i];
      column = 0;
    }
  }

  Region region_;
  std::shared_ptr<const CompiledRegion> code_;
  std::vector<int64_t> element_bytes_;
};

class JitEngine : public Engine {
 public:
  explicit JitEngine(Compiler* compiler) : compiler_(compiler) {}
  std::string_view name() const override { return "jit"; }
  Support Supports(const Node& node) const override {
    auto region = ReadRegion(node);
    return region.ok() ? Support::Yes() : Support::No(region.message());
  }
  Result<std::unique_ptr<Executable>> Load(const Node& node) const override {
    auto region = ReadRegion(node);
    if (!region.ok()) return std::move(region).status().Annotate(StrCat("loading node '", node.name(), "' ", node.loc()));
    GE_ASSIGN_OR_RETURN(auto code, compiler_->Compile(*region));
    return std::unique_ptr<Executable>(std::make_unique<RegionExecutable>(*std::move(region), std::move(code)));
  }

 private:
  Compiler* compiler_;
};

}  // namespace
}  // namespace ge::jit

// Null where the CPU lacks what the generated code needs.
extern "C" GE_API const ge::Engine* ge_engine_create() {
  static const ge::Engine* engine = [] {
    auto compiler = ge::jit::Compiler::Get();
    return compiler.ok() ? new ge::jit::JitEngine(*compiler) : nullptr;
  }();
  return engine;
}
