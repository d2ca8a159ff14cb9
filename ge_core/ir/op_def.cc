#include "ge_core/ir/op_def.h"

#include <algorithm>

namespace ge {

Attr AttrDef::Default() const {
  if (required) return {};
  if (!has_default && kind != AttrKind::kInts) return {};
  switch (kind) {
    case AttrKind::kBool: return int_default != 0;
    case AttrKind::kInt: return int_default;
    case AttrKind::kFloat: return float_default;
    case AttrKind::kString: return string_default;
    case AttrKind::kInts: return Attr::List{};
    default: return {};
  }
}

const AttrDef* OpDef::FindAttr(std::string_view n) const {
  for (int i = 0; i < num_attrs; ++i)
    if (attrs[static_cast<size_t>(i)].name == n) return &attrs[static_cast<size_t>(i)];
  return nullptr;
}
int OpDef::FindInput(std::string_view n) const {
  for (int i = 0; i < num_inputs; ++i)
    if (inputs[static_cast<size_t>(i)].name == n) return i;
  return -1;
}
int OpDef::FindOutput(std::string_view n) const {
  for (int i = 0; i < num_outputs; ++i)
    if (outputs[static_cast<size_t>(i)].name == n) return i;
  return -1;
}

Attr InferContext::attr(std::string_view name) const {
  if (const Attr* a = attrs.Find(name)) return *a;
  const AttrDef* d = op.FindAttr(name);
  return d ? d->Default() : Attr();
}
int64_t InferContext::Int(std::string_view name) const {
  const Attr a = attr(name);
  const int64_t* v = a.Get<int64_t>();
  return v ? *v : 0;
}
double InferContext::Float(std::string_view name) const { return attr(name).AsDouble().value_or(0.0); }
bool InferContext::Bool(std::string_view name) const {
  const Attr a = attr(name);
  const bool* v = a.Get<bool>();
  return v && *v;
}
std::string InferContext::Str(std::string_view name) const {
  const Attr a = attr(name);
  const std::string* v = a.Get<std::string>();
  return v ? *v : std::string();
}
std::vector<int64_t> InferContext::Ints(std::string_view name) const { return attr(name).AsInts().value_or(std::vector<int64_t>{}); }

std::optional<std::vector<int64_t>> InferContext::ConstInts(int i) const {
  const Tensor* t = has_input(i) && const_input ? const_input(i) : nullptr;
  if (!t || (t->dtype() != DType::kI64 && t->dtype() != DType::kI32)) return std::nullopt;
  std::vector<int64_t> out(static_cast<size_t>(t->num_elements()));
  for (size_t k = 0; k < out.size(); ++k) out[k] = t->dtype() == DType::kI64 ? t->data<int64_t>()[k] : t->data<int32_t>()[k];
  return out;
}

OpTable::OpTable(std::vector<const OpDef*> defs) : defs_(std::move(defs)), by_name_(defs_) {
  std::sort(by_name_.begin(), by_name_.end(), [](auto* a, auto* b) { return a->name < b->name; });
  for (size_t i = 1; i < by_name_.size(); ++i) GE_CHECK(by_name_[i - 1]->name != by_name_[i]->name, "operator defined twice");
}

const OpDef* OpTable::Find(std::string_view name) const {
  auto it = std::lower_bound(by_name_.begin(), by_name_.end(), name, [](auto* d, std::string_view n) { return d->name < n; });
  return it != by_name_.end() && (*it)->name == name ? *it : nullptr;
}

}  // namespace ge
