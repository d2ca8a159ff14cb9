#include "host_kernels/aten/call.h"

#include <ATen/core/List.h>
#include <ATen/core/enum_tag.h>

#include "ge_core/base/str.h"

namespace ge::aten {
namespace {

bool HasRef(const Attr& a) {
  if (a.Is<Attr::InputRef>()) return true;
  if (auto* list = a.Get<Attr::List>())
    for (const Attr& item : *list)
      if (HasRef(item)) return true;
  return false;
}

c10::IValue SymValue(const Slot& s) {
  switch (s.dtype) {
    case DType::kF64: return s.sym.f;
    case DType::kBool: return s.sym.b;
    default: return s.sym.i;
  }
}

// A sym where a Tensor is expected (a Python number that was a SymInt) becomes a wrapped number, as in eager.
at::Tensor TensorArg(Slot& s) {
  if (s.kind != ValueType::Kind::kSym) return GetTensor(s);
  at::Tensor t = at::scalar_to_tensor(SymValue(s).toScalar());
  t.unsafeGetTensorImpl()->set_wrapped_number(true);
  return t;
}

int64_t AsInt(const c10::IValue& v) { return v.isBool() ? static_cast<int64_t>(v.toBool()) : v.toInt(); }

}  // namespace

bool PreparedCall::writes_first_argument() const {
  if (handle_->hasTag(at::Tag::inplace_view) || schema().arguments().empty() || schema().returns().size() != 1) return false;
  const c10::AliasInfo* first = schema().arguments()[0].alias_info();
  const c10::AliasInfo* result = schema().returns()[0].alias_info();
  return first && first->isWrite() && result && result->isWrite() && first->beforeSets() == result->beforeSets();
}

Result<PreparedCall> PreparedCall::Make(std::string_view overload, const Attr::List& args) {
  const size_t colons = overload.find("::");
  const size_t dot = overload.find('.', colons == std::string_view::npos ? 0 : colons);
  const std::string name(overload.substr(0, dot));
  const std::string variant(dot == std::string_view::npos ? "" : overload.substr(dot + 1));
  auto handle = c10::Dispatcher::singleton().findSchema({name, variant});
  if (!handle) return NotFound(StrCat("PyTorch has no operator '", overload, "'"));
  PreparedCall call(*handle);
  const auto& schema = handle->schema();
  if (args.size() > schema.arguments().size())
    return InvalidArgument(StrCat(overload, " takes ", schema.arguments().size(), " arguments, ", args.size(), " were given"));
  for (size_t i = 0; i < schema.arguments().size(); ++i) {
    const c10::Argument& arg = schema.arguments()[i];
    const std::string where = StrCat(overload, " argument ", arg.name());
    if (i >= args.size()) {
      if (!arg.default_value()) return InvalidArgument(StrCat(where, " is missing"));
      call.stack_.push_back(*arg.default_value());
      continue;
    }
    GE_RETURN_IF_ERROR(call.Add(arg.type(), args[i], where));
  }
  return call;
}

Status PreparedCall::Add(const c10::TypePtr& type, const Attr& value, const std::string& where) {
  const int arg = static_cast<int>(stack_.size());
  if (!HasRef(value)) {
    GE_ASSIGN_OR_RETURN(c10::IValue v, ToIValue(value, type, where));
    number_as_tensor_ |= v.isTensor() && v.toTensor().defined();
    stack_.push_back(std::move(v));
    return {};
  }
  stack_.emplace_back();
  c10::TypePtr t = type;
  while (t->kind() == c10::TypeKind::OptionalType) t = t->castRaw<c10::OptionalType>()->getElementType();
  if (auto* ref = value.Get<Attr::InputRef>()) {
    if (t->kind() == c10::TypeKind::ListType) return Unimplemented(StrCat(where, ": a list cannot come from one value"));
    patches_.push_back({t->kind() == c10::TypeKind::TensorType ? Patch::kTensor : Patch::kSym, arg, {{ref->index, {}}}});
    return {};
  }
  if (t->kind() != c10::TypeKind::ListType) return InvalidArgument(StrCat(where, ": ", ToString(value), " is no ", type->str()));
  c10::TypePtr element = t->castRaw<c10::ListType>()->getElementType();
  Patch patch{Patch::kTensorList, arg, {}};
  switch (element->kind()) {
    case c10::TypeKind::TensorType: break;
    case c10::TypeKind::OptionalType: patch.kind = Patch::kOptionalTensorList; break;
    case c10::TypeKind::IntType:
    case c10::TypeKind::SymIntType: patch.kind = Patch::kIntList; break;
    case c10::TypeKind::FloatType: patch.kind = Patch::kFloatList; break;
    case c10::TypeKind::NumberType: patch.kind = Patch::kScalarList; break;
    default: return Unimplemented(StrCat(where, ": lists of type ", type->str(), " cannot hold run-time values"));
  }
  for (const Attr& item : *value.Get<Attr::List>()) {
    if (auto* ref = item.Get<Attr::InputRef>()) {
      patch.elements.push_back({ref->index, {}});
    } else {
      GE_ASSIGN_OR_RETURN(c10::IValue v, ToIValue(item, element, where));
      patch.elements.push_back({-1, std::move(v)});
    }
  }
  patches_.push_back(std::move(patch));
  return {};
}

void PreparedCall::Run(std::span<Slot* const> slots, std::vector<c10::IValue>& results) const {
  torch::jit::Stack stack;
  stack.reserve(std::max(stack_.size(), schema().returns().size()));
  stack.assign(stack_.begin(), stack_.end());
  const auto slot = [&](int input) { return static_cast<size_t>(input) < slots.size() ? slots[static_cast<size_t>(input)] : nullptr; };
  for (const Patch& p : patches_) {
    c10::IValue& out = stack[static_cast<size_t>(p.arg)];
    Slot* first = p.elements.empty() ? nullptr : slot(p.elements[0].input);
    switch (p.kind) {
      case Patch::kTensor:
        if (first) out = TensorArg(*first);
        break;
      case Patch::kTransposedTensor: out = GetTensor(*first).transpose(-1, -2); break;
      case Patch::kSym: out = first->kind == ValueType::Kind::kSym ? SymValue(*first) : c10::IValue(GetTensor(*first).item()); break;
      case Patch::kTensorList: {
        c10::List<at::Tensor> list;
        list.reserve(p.elements.size());
        for (const Element& e : p.elements) list.push_back(e.input < 0 ? e.constant.toTensor() : TensorArg(*slot(e.input)));
        out = std::move(list);
        break;
      }
      case Patch::kOptionalTensorList: {
        c10::List<std::optional<at::Tensor>> list;
        list.reserve(p.elements.size());
        for (const Element& e : p.elements) {
          Slot* s = e.input < 0 ? nullptr : slot(e.input);
          if (s)
            list.push_back(TensorArg(*s));
          else
            list.push_back(std::nullopt);
        }
        out = std::move(list);
        break;
      }
      case Patch::kIntList: {
        c10::List<int64_t> list;
        list.reserve(p.elements.size());
        for (const Element& e : p.elements) list.push_back(AsInt(e.input < 0 ? e.constant : SymValue(*slot(e.input))));
        out = std::move(list);
        break;
      }
      case Patch::kFloatList: {
        c10::List<double> list;
        for (const Element& e : p.elements) list.push_back((e.input < 0 ? e.constant : SymValue(*slot(e.input))).toScalar().toDouble());
        out = std::move(list);
        break;
      }
      case Patch::kScalarList: {
        c10::impl::GenericList list(c10::NumberType::get());
        for (const Element& e : p.elements) list.push_back(e.input < 0 ? e.constant : SymValue(*slot(e.input)));
        out = std::move(list);
        break;
      }
      case Patch::kIntsFromTensor: {
        c10::List<int64_t> list;
        if (first) {
          const at::Tensor t = GetTensor(*first).contiguous();
          const auto* data = t.const_data_ptr<int64_t>();
          for (int64_t i = 0; i < t.numel(); ++i) list.push_back(data[i]);
          out = std::move(list);
        }
        break;
      }
      case Patch::kIntFromTensor:
        if (first) out = GetTensor(*first).const_data_ptr<int64_t>()[0];
        break;
    }
  }
  handle_->callBoxed(&stack);
  for (c10::IValue& v : stack) {
    if (v.isTensorList()) {
      for (at::Tensor t : v.toTensorVector()) results.emplace_back(std::move(t));
    } else {
      results.push_back(std::move(v));
    }
  }
}

}  // namespace ge::aten
