// Attribute values to IValues, guided by the schema's argument types.
#include <ATen/ScalarOps.h>
#include <ATen/core/List.h>

#include "ge_core/base/str.h"
#include "host_kernels/aten/call.h"

namespace ge::aten {
namespace {

std::optional<int64_t> EnumValue(std::string_view s) {
  if (s == "strided") return static_cast<int64_t>(at::kStrided);
  if (s == "sparse_coo") return static_cast<int64_t>(at::kSparse);
  if (s == "sparse_csr") return static_cast<int64_t>(at::kSparseCsr);
  if (s == "contiguous_format") return static_cast<int64_t>(at::MemoryFormat::Contiguous);
  if (s == "preserve_format") return static_cast<int64_t>(at::MemoryFormat::Preserve);
  if (s == "channels_last") return static_cast<int64_t>(at::MemoryFormat::ChannelsLast);
  if (s == "channels_last_3d") return static_cast<int64_t>(at::MemoryFormat::ChannelsLast3d);
  return std::nullopt;
}

std::optional<at::Scalar> ToScalar(const Attr& v) {
  if (auto* b = v.Get<bool>()) return at::Scalar(*b);
  if (auto* i = v.Get<int64_t>()) return at::Scalar(*i);
  if (auto* d = v.Get<double>()) return at::Scalar(*d);
  if (auto* c = v.Get<std::complex<double>>()) return at::Scalar(c10::complex<double>(c->real(), c->imag()));
  return std::nullopt;
}

}  // namespace

Result<c10::IValue> ToIValue(const Attr& value, const c10::TypePtr& type, const std::string& where) {
  const auto bad = [&] { return InvalidArgument(StrCat(where, ": ", ToString(value), " does not fit an argument of type ", type->str())); };
  switch (type->kind()) {
    case c10::TypeKind::OptionalType:
      if (value.IsNone()) return c10::IValue();
      return ToIValue(value, type->castRaw<c10::OptionalType>()->getElementType(), where);
    case c10::TypeKind::TensorType:
      if (value.IsNone()) return c10::IValue(at::Tensor());
      if (auto s = ToScalar(value)) {
        at::Tensor t = at::scalar_to_tensor(*s);
        t.unsafeGetTensorImpl()->set_wrapped_number(true);
        return c10::IValue(t);
      }
      return bad();
    case c10::TypeKind::IntType:
    case c10::TypeKind::SymIntType:
      if (auto* i = value.Get<int64_t>()) return c10::IValue(*i);
      if (auto* b = value.Get<bool>()) return c10::IValue(static_cast<int64_t>(*b));
      if (auto* t = value.Get<DType>()) return c10::IValue(static_cast<int64_t>(ToScalarType(*t)));
      if (auto* s = value.Get<std::string>())
        if (auto e = EnumValue(*s)) return c10::IValue(*e);
      return bad();
    case c10::TypeKind::FloatType:
    case c10::TypeKind::SymFloatType:
      if (auto d = value.AsDouble()) return c10::IValue(*d);
      return bad();
    case c10::TypeKind::BoolType:
    case c10::TypeKind::SymBoolType:
      if (auto* b = value.Get<bool>()) return c10::IValue(*b);
      if (auto* i = value.Get<int64_t>()) return c10::IValue(*i != 0);
      return bad();
    case c10::TypeKind::NumberType:
      if (auto s = ToScalar(value)) return c10::IValue(*s);
      return bad();
    case c10::TypeKind::StringType:
      if (auto* s = value.Get<std::string>()) return c10::IValue(*s);
      return bad();
    case c10::TypeKind::DeviceObjType:
      if (auto* s = value.Get<std::string>()) return c10::IValue(c10::Device(*s));
      return bad();
    case c10::TypeKind::GeneratorType: return bad();
    case c10::TypeKind::ListType: {
      const c10::TypePtr element = type->castRaw<c10::ListType>()->getElementType();
      const Attr::List* list = value.Get<Attr::List>();
      Attr::List one;
      if (!list) {  // int[2] accepts a single integer
        if (!value.Is<int64_t>() && !value.Is<double>() && !value.Is<bool>()) return bad();
        one.push_back(value);
        list = &one;
      }
      // Typed lists: kernels unbox int[] / float[] / bool[] / Tensor[] by element type.
      const auto kind = element->kind();
      if (kind == c10::TypeKind::SymIntType || kind == c10::TypeKind::IntType) {
        c10::List<int64_t> out;
        for (const Attr& a : *list) {
          GE_ASSIGN_OR_RETURN(c10::IValue v, ToIValue(a, element, where));
          out.push_back(v.toInt());
        }
        return c10::IValue(std::move(out));
      }
      if (kind == c10::TypeKind::FloatType) {
        c10::List<double> out;
        for (const Attr& a : *list) {
          GE_ASSIGN_OR_RETURN(c10::IValue v, ToIValue(a, element, where));
          out.push_back(v.toDouble());
        }
        return c10::IValue(std::move(out));
      }
      if (kind == c10::TypeKind::BoolType) {
        c10::List<bool> out;
        for (const Attr& a : *list) {
          GE_ASSIGN_OR_RETURN(c10::IValue v, ToIValue(a, element, where));
          out.push_back(v.toBool());
        }
        return c10::IValue(std::move(out));
      }
      if (kind == c10::TypeKind::TensorType) {
        c10::List<at::Tensor> out;
        for (const Attr& a : *list) {
          GE_ASSIGN_OR_RETURN(c10::IValue v, ToIValue(a, element, where));
          out.push_back(v.toTensor());
        }
        return c10::IValue(std::move(out));
      }
      c10::impl::GenericList out(element);
      for (const Attr& a : *list) {
        GE_ASSIGN_OR_RETURN(c10::IValue v, ToIValue(a, element, where));
        out.push_back(std::move(v));
      }
      return c10::IValue(std::move(out));
    }
    default: return Unimplemented(StrCat(where, ": arguments of type ", type->str(), " cannot be kept as data"));
  }
}

}  // namespace ge::aten
