// libge_onednn.so: Conv2D and MatMulV2 on oneDNN, weights packed once (design §5, §8).
#include "host_kernels/onednn/kernels.h"

namespace ge::onednn {

std::string CheckType(std::string_view what, const ValueType& type, bool packed_allowed) {
  if (!type.IsTensor()) return StrCat(what, " is not a tensor");
  if (type.dtype() != DType::kF32) return StrCat(what, " has dtype ", Name(type.dtype()), "; only f32 is supported");
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
    const OpRow* row = Find(node);
    return row ? row->supports(node) : Support::No(StrCat("oneDNN engine: no kernel for ", node.op().name));
  }
  std::vector<LayoutPreference> Preferences(const Node& node) const override {
    const OpRow* row = Find(node);
    return row && row->preferences ? row->preferences(node) : std::vector<LayoutPreference>{};
  }
  Result<std::unique_ptr<Executable>> Load(const Node& node) const override {
    Support support = Supports(node);
    if (!support.ok) return Unimplemented(StrCat("node '", node.name(), "': ", support.reason));
    auto loaded = Guard("to create a kernel", [&] { return Find(node)->load(node); });
    if (loaded.ok()) return loaded;
    return std::move(loaded).status().Annotate(StrCat("loading node '", node.name(), "' (", node.op().name, ") ", node.loc()));
  }

 private:
  static const OpRow* Find(const Node& node) {
    static constexpr const OpRow* kRows[] = {&kMatMulRow, &kConv2DRow, &kConv3DRow, &kTransDataRow};
    for (const OpRow* row : kRows) {
      if (node.Is(row->op)) return row;
    }
    return nullptr;
  }
};

}  // namespace
}  // namespace ge::onednn

extern "C" GE_API const ge::Engine* ge_engine_create() {
  static const auto* engine = new ge::onednn::OneDnnEngine();
  return engine;
}
