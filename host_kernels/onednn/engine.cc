// libge_onednn.so: convolutions and matrix products on oneDNN, with epilogues, weights packed once (design §5, §8).
#include <omp.h>

#include <algorithm>
#include <mutex>
#include <unordered_map>

#include "ge_core/ir/fused_region.h"
#include "host_kernels/onednn/kernels.h"

namespace ge::onednn {

std::string CheckType(std::string_view what, const ValueType& type, bool packed_allowed) {
  if (!type.IsTensor()) return StrCat(what, " is not a tensor");
  if (!DataType(type.dtype())) return StrCat(what, " has dtype ", Name(type.dtype()), "; f32 and bf16 are supported");
  if (!type.IsStatic()) return StrCat(what, " has a dynamic shape: ", ToString(type));
  for (const Dim& d : type.shape()) {
    if (d.value() == 0) return StrCat(what, " is empty: ", ToString(type));
  }
  switch (type.layout.kind) {
    case StorageLayout::Kind::kContiguous:
    case StorageLayout::Kind::kFree: return {};
    case StorageLayout::Kind::kStrided:
      for (size_t i = 0; i < type.layout.strides.size(); ++i) {
        const Dim& s = type.layout.strides[i];
        if (!s.IsConst()) return StrCat(what, " has symbolic strides: ", ToString(type));
        // Zero strides (expanded) and overlap are outside of what oneDNN descriptors promise to read right.
        if (s.value() <= 0 && !type.shape()[i].Is(1)) return StrCat(what, " is expanded: ", ToString(type));
      }
      return {};
    case StorageLayout::Kind::kPacked: {
      if (!packed_allowed) return StrCat(what, " has a packed layout that this operand cannot be read in: ", ToString(type));
      auto packed = Guard("a packed layout", [&] { return ParsePacked(type); });
      return packed.ok() ? std::string() : packed.message();
    }
  }
  return StrCat(what, " has an unknown layout");
}

std::string CheckOperand(const Node& node, int input, bool packed_allowed) {
  const Value* v = input < node.num_inputs() ? node.input(input) : nullptr;
  if (!v) return StrCat("input ", input, " is absent");
  return CheckType(StrCat("input ", input), v->type(), packed_allowed);
}

namespace {

class OneDnnEngine : public Engine {
 public:
  std::string_view name() const override { return "onednn"; }
  Support Supports(const Node& node) const override {
    auto task = Find(node);
    if (!task.ok()) return Support::No("oneDNN engine: " + task.message());
    return supports_.Get(Key(task->product), [&] { return task->row->supports(task->product); });
  }
  std::vector<LayoutPreference> Preferences(const Node& node) const override {
    auto task = Find(node);
    if (!task.ok() || !task->row->preferences) return {};
    return preferences_.Get(Key(task->product), [&] { return task->row->preferences(task->product); });
  }
  Result<std::unique_ptr<Executable>> Load(const Node& node) const override {
    Support support = Supports(node);
    if (!support.ok) return Unimplemented(StrCat("node '", node.name(), "': ", support.reason));
    auto task = Find(node);
    auto loaded = Guard("to create a kernel", [&] { return task->row->load(task->product); });
    if (loaded.ok()) return loaded;
    return std::move(loaded).status().Annotate(StrCat("loading node '", node.name(), "' (", node.op().name, ") ", node.loc()));
  }

 private:
  // Answers given before: several passes and placement ask the same, models repeat their layers, and each answer costs a
  // descriptor of a primitive (0.1 ms).
  template <typename Answer>
  class Memo {
   public:
    template <typename Ask>
    Answer Get(std::string key, Ask&& ask) {
      {
        std::lock_guard lock(mutex_);
        if (auto it = answers_.find(key); it != answers_.end()) return it->second;
      }
      Answer answer = ask();
      std::lock_guard lock(mutex_);
      if (answers_.size() >= kLimit) answers_.clear();
      answers_.emplace(std::move(key), answer);
      return answer;
    }

   private:
    static constexpr size_t kLimit = 4096;
    std::mutex mutex_;
    std::unordered_map<std::string, Answer> answers_;  // looked up only
  };

  struct Task {
    const OpRow* row;
    Product product;
  };
  static Result<Task> Find(const Node& node) {
    static constexpr const OpRow* kRows[] = {&kMatMulRow,          &kBatchMatMulRow,     &kBatchMatMulV2Row, &kConv2DRow,   &kConv3DRow,
                                             &kConv2DTransposeRow, &kConv3DTransposeRow, &kLstmRow,          &kTransDataRow,
                                             &kAttentionRow,       &kFlashAttentionRow};
    const auto find = [](const Node& n) -> const OpRow* {
      const auto* row = std::ranges::find_if(kRows, [&](const OpRow* r) { return n.Is(r->op); });
      return row == std::end(kRows) ? nullptr : *row;
    };
    const bool region = node.Is("FusedRegion");
    if (!region && !find(node)) return Unimplemented(StrCat("no kernel for ", node.op().name));
    GE_ASSIGN_OR_RETURN(Product product, Product::Read(node));
    const OpRow* row = find(product.anchor());
    if (!row || (region && !row->epilogue)) return Unimplemented(StrCat("no kernel for a region behind ", product.anchor().op().name));
    return Task{row, std::move(product)};
  }
  // All that an answer depends on: operators, attributes, types, and the number of threads, for which the library chooses.
  static std::string Key(const Product& product) {
    std::string key = StrCat(omp_get_max_threads(), " ");
    const auto add = [&key](const Node& n) {
      key += StrCat(n.op().name, " ");
      for (const auto& [name, value] : n.attrs()) key += StrCat(name, "=", ToString(value), " ");
    };
    if (product.fused()) {
      for (const Node* n : RegionBody(product.node())->nodes()) {
        add(*n);
        for (const Value* v : n->inputs()) key += v ? StrCat(v->producer()->id(), ",") : "-,";
      }
    } else {
      add(product.node());
    }
    for (const Value* v : product.node().inputs()) key += v ? StrCat(ToString(v->type()), ",") : "-,";
    for (int i = 0; i < product.node().num_outputs(); ++i) key += StrCat(">", ToString(product.node().output(i)->type()));
    return key;
  }

  mutable Memo<Support> supports_;
  mutable Memo<std::vector<LayoutPreference>> preferences_;
};

}  // namespace
}  // namespace ge::onednn

extern "C" GE_API const ge::Engine* ge_engine_create() {
  static const auto* engine = new ge::onednn::OneDnnEngine();
  return engine;
}
