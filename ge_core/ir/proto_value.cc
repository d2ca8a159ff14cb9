#include "ge_core/ir/proto_value.h"

#include <array>
#include <bit>
#include <cstring>

#include "ge_core/base/str.h"
#include "ge_core/ir/text.h"
#include "ge_core/ir/verifier.h"

namespace ge::wire {
namespace {

// The schema numbers dtypes twice: `wire` in TensorDescriptor.dtype, `run_time` in AttrDef.dt. -1: the schema lacks it.
struct DTypeNumbers {
  int wire, run_time;
};
constexpr std::array<DTypeNumbers, kNumDTypes> kNumbers = {{
    {proto::DT_FLOAT, 0},
    {proto::DT_FLOAT16, 1},
    {proto::DT_BF16, 27},
    {proto::DT_DOUBLE, 11},
    {proto::DT_INT8, 2},
    {proto::DT_INT16, 6},
    {proto::DT_INT32, 3},
    {proto::DT_INT64, 9},
    {proto::DT_UINT8, 4},
    {proto::DT_UINT16, 7},
    {proto::DT_UINT32, 8},
    {proto::DT_UINT64, 10},
    {proto::DT_BOOL, 12},
    {proto::DT_COMPLEX32, 33},
    {proto::DT_COMPLEX64, 16},
    {proto::DT_COMPLEX128, 17},
    {proto::DT_FLOAT8_E4M3FN, 36},
    {proto::DT_FLOAT8_E5M2, 35},
    {-1, -1},
    {-1, -1},
    {proto::DT_FLOAT8_E8M0, 37},
    {-1, -1},  // two F4 values share an element here, not in the schema
}};

std::optional<DType> DTypeOf(int64_t number, int DTypeNumbers::* field) {
  for (size_t i = 0; number >= 0 && i < kNumbers.size(); ++i)
    if (kNumbers[i].*field == number) return static_cast<DType>(i);
  return std::nullopt;
}

bool IsFloat(double d) { return std::bit_cast<uint64_t>(static_cast<double>(static_cast<float>(d))) == std::bit_cast<uint64_t>(d); }

// A list whose items are all of the one type.
template <typename T>
bool AllOf(const Attr::List& list) {
  for (const Attr& a : list)
    if (!a.Is<T>()) return false;
  return !list.empty();
}

// False if the schema has no field for the value.
bool WriteList(const Attr::List& list, proto::AttrDef::ListValue* out) {
  using L = proto::AttrDef::ListValue;
  if (list.empty()) {
    out->set_val_type(L::VT_LIST_NONE);
  } else if (AllOf<int64_t>(list)) {
    out->set_val_type(L::VT_LIST_INT);
    for (const Attr& a : list) out->add_i(*a.Get<int64_t>());
  } else if (AllOf<bool>(list)) {
    out->set_val_type(L::VT_LIST_BOOL);
    for (const Attr& a : list) out->add_b(*a.Get<bool>());
  } else if (AllOf<std::string>(list)) {
    out->set_val_type(L::VT_LIST_STRING);
    for (const Attr& a : list) out->add_s(*a.Get<std::string>());
  } else if (AllOf<double>(list)) {
    out->set_val_type(L::VT_LIST_FLOAT);
    for (const Attr& a : list) {
      if (!IsFloat(*a.Get<double>())) return false;
      out->add_f(static_cast<float>(*a.Get<double>()));
    }
  } else {
    return false;
  }
  return true;
}

bool WriteValue(const Attr& attr, proto::AttrDef* out) {
  if (auto* b = attr.Get<bool>())
    out->set_b(*b);
  else if (auto* i = attr.Get<int64_t>())
    out->set_i(*i);
  else if (auto* s = attr.Get<std::string>())
    out->set_s(*s);
  else if (auto* d = attr.Get<double>(); d && IsFloat(*d))
    out->set_f(static_cast<float>(*d));
  else if (auto* t = attr.Get<DType>(); t && kNumbers[static_cast<size_t>(*t)].run_time >= 0)
    out->set_dt(kNumbers[static_cast<size_t>(*t)].run_time);
  else if (auto* x = attr.Get<Tensor>(); x && x->defined())
    WriteTensor(*x, out->mutable_t());
  else if (auto* l = attr.Get<Attr::List>())
    return WriteList(*l, out->mutable_list());
  else
    return false;
  return true;
}

Result<Attr> ReadList(const proto::AttrDef::ListValue& list) {
  using L = proto::AttrDef::ListValue;
  Attr::List out;
  switch (list.val_type()) {
    case L::VT_LIST_NONE: break;
    case L::VT_LIST_INT: out.assign(list.i().begin(), list.i().end()); break;
    case L::VT_LIST_BOOL:
      for (bool b : list.b()) out.push_back(b);
      break;
    case L::VT_LIST_FLOAT:
      for (float f : list.f()) out.push_back(static_cast<double>(f));
      break;
    case L::VT_LIST_STRING:
      for (const std::string& s : list.s()) out.push_back(s);
      break;
    default: return Unimplemented(StrCat("a list of value type ", int{list.val_type()}, " is not supported"));
  }
  return Attr(std::move(out));
}

Result<Attr> ReadValue(const proto::AttrDef& def) {
  switch (def.value_case()) {
    case proto::AttrDef::kB: return Attr(def.b());
    case proto::AttrDef::kI: return Attr(static_cast<int64_t>(def.i()));
    case proto::AttrDef::kS: return Attr(def.s());
    case proto::AttrDef::kF: return Attr(static_cast<double>(def.f()));
    case proto::AttrDef::kDt:
      if (auto t = DTypeOf(def.dt(), &DTypeNumbers::run_time)) return Attr(*t);
      return Unimplemented(StrCat("data type number ", def.dt(), " is not supported"));
    case proto::AttrDef::kT: {
      GE_ASSIGN_OR_RETURN(Tensor t, ReadTensor(def.t()));
      return Attr(std::move(t));
    }
    case proto::AttrDef::kList: return ReadList(def.list());
    case proto::AttrDef::kListListInt: {
      Attr::List out;
      for (const auto& row : def.list_list_int().list_list_i()) out.push_back(Attr::List(row.list_i().begin(), row.list_i().end()));
      return Attr(std::move(out));
    }
    case proto::AttrDef::VALUE_NOT_SET: return InvalidArgument("the attribute has no value");
    default: return Unimplemented(StrCat("an attribute value of field number ", int{def.value_case()}, " is not supported"));
  }
}

}  // namespace

void WriteType(const ValueType& type, bool complete, proto::TensorDescriptor* out) {
  bool plain = type.IsTensor() && type.layout.kind == StorageLayout::Kind::kContiguous && type.placement == ValueType::Placement::kDevice;
  if (type.IsTensor() || type.IsSym()) {
    const int number = kNumbers[static_cast<size_t>(type.dtype())].wire;
    plain = plain && number >= 0;
    out->set_dtype(number >= 0 ? static_cast<proto::DataType>(number) : proto::DT_UNDEFINED);
  }
  if (type.IsTensor()) {
    bool symbolic = false;
    for (const Dim& d : type.shape()) {
      out->mutable_shape()->add_dim(d.IsConst() ? d.value() : -1);
      symbolic |= d.IsSymbolic();
    }
    out->set_layout(std::string(Name(type.format)));
    if (symbolic && complete) {
      auto* group = out->mutable_attr_groups()->add_attr_group_def()->mutable_tensor_attr_group();
      for (const Dim& d : type.shape()) group->add_origin_symbol_shape(d.ToString());
    }
  }
  if (!plain && complete) (*out->mutable_attr())[std::string(kType)].set_s(ToString(type));
}

Result<ValueType> ReadType(const proto::TensorDescriptor& desc) {
  if (auto it = desc.attr().find(std::string(kType)); it != desc.attr().end()) return ParseType(it->second.s());
  const auto dtype = DTypeOf(desc.dtype(), &DTypeNumbers::wire);
  if (!dtype) return Unimplemented(StrCat("data type ", int{desc.dtype()}, " is not supported"));
  Shape shape;
  for (int64_t d : desc.shape().dim()) {
    if (d < -1) return InvalidArgument(StrCat("dim ", d, "; expected -1 (unknown) or more (an unknown rank is not supported)"));
    shape.push_back(d < 0 ? Dim::Unknown() : Dim(d));
  }
  for (const auto& group : desc.attr_groups().attr_group_def()) {
    if (!group.has_tensor_attr_group()) continue;
    const auto& symbols = group.tensor_attr_group().origin_symbol_shape();
    if (symbols.size() != static_cast<int>(shape.size())) continue;  // written by another tool: the plain shape holds
    for (int i = 0; i < symbols.size(); ++i) {
      if (shape[static_cast<size_t>(i)].IsConst()) continue;
      GE_ASSIGN_OR_RETURN(shape[static_cast<size_t>(i)], Dim::Parse(symbols[i]));
    }
  }
  ValueType type = ValueType::Tensor(*dtype, std::move(shape));
  if (!desc.layout().empty()) {
    const auto format = FormatFromName(desc.layout());
    if (!format) return Unimplemented(StrCat("format '", desc.layout(), "' is not supported"));
    type.format = *format;
  }
  GE_RETURN_IF_ERROR(CheckType(type));
  return type;
}

void WriteTensor(const Tensor& tensor, proto::TensorDef* out) {
  WriteType(tensor.type(), true, out->mutable_desc());
  out->set_data(tensor.bytes().data(), tensor.bytes().size());
}

Result<Tensor> ReadTensor(const proto::TensorDef& def) {
  GE_ASSIGN_OR_RETURN(const ValueType type, ReadType(def.desc()));
  if (!type.IsStatic()) return InvalidArgument(StrCat("a tensor of type ", ToString(type), "; a constant needs a static tensor type"));
  if (static_cast<int64_t>(def.data().size()) != type.StaticBytes())
    return InvalidArgument(
        StrCat("a tensor of type ", ToString(type), " has ", def.data().size(), " bytes, expected ", type.StaticBytes()));
  Tensor t(type);
  if (!def.data().empty()) std::memcpy(t.mutable_data<std::byte>(), def.data().data(), def.data().size());
  return t;
}

void WriteAttr(const std::string& name, const Attr& attr, ProtoAttrs* out) {
  proto::AttrDef def;
  if (!name.starts_with(kReserved) && WriteValue(attr, &def)) {
    (*out)[name] = std::move(def);
  } else {
    (*out)[StrCat(kText, name)].set_s(PrintAttr(attr));
  }
}

Result<AttrMap> ReadAttrs(const ProtoAttrs& in) {
  AttrMap attrs;
  for (const auto& [key, def] : in) {
    const bool text = key.starts_with(kText);
    if (key.starts_with(kReserved) && !text) continue;
    const std::string name = text ? key.substr(kText.size()) : key;
    // A hash map gives its entries in no order: a name that is there in both forms must not depend on it.
    if (text && !name.starts_with(kReserved) && in.contains(name)) return InvalidArgument(StrCat("attribute '", name, "' is given twice"));
    Result<Attr> value = text ? ParseAttr(def.s()) : ReadValue(def);
    if (!value.ok()) return std::move(value).status().Annotate(StrCat("in attribute '", name, "'"));
    attrs.Set(name, *std::move(value));
  }
  return attrs;
}

}  // namespace ge::wire
