// libge_simd.so: kernels of our own for what libraries do badly: row normalisations, attention of one query, matrix times
// vector, means of images. Asked before oneDNN.
#include <omp.h>

#include <algorithm>

#include "host_kernels/float_state.h"
#include "host_kernels/simd/kernels.h"

namespace ge::simd {

void ParallelFor(int threads, int64_t count, double work, const std::function<void(int64_t, int64_t)>& body) {
  constexpr double kWorkPerThread = 65536;  // some 10 us: waking a thread takes up to 5
  const int wanted = static_cast<int>(std::min({static_cast<double>(threads), static_cast<double>(count), work / kWorkPerThread}));
  if (wanted <= 1) return body(0, count);
  const FloatState state;
#pragma omp parallel num_threads(wanted)
  {
    state.Adopt();
    // The team may be smaller than asked for: split by its true size.
    const int64_t team = omp_get_num_threads(), me = omp_get_thread_num();
    body(count * me / team, count * (me + 1) / team);
  }
}

Result<char*> Data(std::span<Slot* const> slots, int i) {
  const Slot* s = static_cast<size_t>(i) < slots.size() ? slots[static_cast<size_t>(i)] : nullptr;
  if (!s || !s->data) return Internal(StrCat("SIMD kernel: operand ", i, " has no memory; the executor must bind it before Run"));
  return static_cast<char*>(s->data);
}

namespace {

class SimdEngine : public Engine {
 public:
  std::string_view name() const override { return "simd"; }
  Support Supports(const Node& node) const override {
    const OpRow* row = Find(node);
    return row ? row->supports(node) : Support::No(StrCat("SIMD engine: no kernel for ", node.op().name));
  }
  std::vector<LayoutPreference> Preferences(const Node& node) const override {
    const OpRow* row = Find(node);
    return row && row->preferences ? row->preferences(node) : std::vector<LayoutPreference>{};
  }
  Result<std::unique_ptr<Executable>> Load(const Node& node) const override {
    const Support support = Supports(node);
    if (!support.ok) return Unimplemented(StrCat("node '", node.name(), "': ", support.reason));
    return Find(node)->load(node);
  }

 private:
  static const OpRow* Find(const Node& node) {
    static constexpr const OpRow* kRows[] = {&kLayerNormRow, &kRmsNormRow, &kAttentionRow, &kFlashAttentionRow, &kGemvRow, &kSpatialMeanRow};
    for (const OpRow* row : kRows)
      if (node.Is(row->op)) return row;
    return nullptr;
  }
};

}  // namespace
}  // namespace ge::simd

extern "C" GE_API const ge::Engine* ge_engine_create() {
  static const auto* engine = new ge::simd::SimdEngine();
  return engine;
}
