#include "ge_core/ir/attr.h"

#include <bit>
#include <cmath>
#include <cstring>

#include "ge_core/base/str.h"

namespace ge {
namespace {

size_t Mix(size_t seed, size_t v) { return seed ^ (v + 0x9e3779b97f4a7c15ull + (seed << 6) + (seed >> 2)); }
size_t HashBytes(std::string_view s) { return std::hash<std::string_view>()(s); }
uint64_t Bits(double d) { return std::bit_cast<uint64_t>(d); }

std::string Quoted(std::string_view s) {
  std::string out = "\"";
  for (char c : s) {
    switch (c) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\n': out += "\\n"; break;
      case '\t': out += "\\t"; break;
      case '\r': out += "\\r"; break;
      default:
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
          constexpr char hex[] = "0123456789abcdef";
          out += "\\x";
          out += hex[(static_cast<unsigned char>(c) >> 4) & 15];
          out += hex[c & 15];
        } else {
          out += c;
        }
    }
  }
  return out + '"';
}

// A float attribute always reads back as a float: 1 prints as 1.0.
std::string Float(double d) {
  if (std::isnan(d))
    return Bits(d) == Bits(std::nan("")) ? "nan" : [&] {
      char buf[32];
      auto end = std::to_chars(buf, buf + sizeof buf, Bits(d), 16).ptr;
      return StrCat("nan(0x", std::string_view(buf, static_cast<size_t>(end - buf)), ")");
    }();
  if (std::isinf(d)) return d < 0 ? "-inf" : "inf";
  std::string s = StrCat(d);
  if (s.find_first_of(".e") == std::string::npos) s += ".0";
  return s;
}

}  // namespace

std::optional<std::vector<int64_t>> Attr::AsInts() const {
  const List* list = Get<List>();
  if (!list) return std::nullopt;
  std::vector<int64_t> out;
  out.reserve(list->size());
  for (const Attr& a : *list) {
    const int64_t* i = a.Get<int64_t>();
    if (!i) return std::nullopt;
    out.push_back(*i);
  }
  return out;
}

std::optional<double> Attr::AsDouble() const {
  if (auto* d = Get<double>()) return *d;
  if (auto* i = Get<int64_t>()) return static_cast<double>(*i);
  if (auto* b = Get<bool>()) return *b ? 1.0 : 0.0;
  return std::nullopt;
}

bool operator==(const Attr& a, const Attr& b) {
  if (a.v_.index() != b.v_.index()) return false;
  if (auto* d = a.Get<double>()) return Bits(*d) == Bits(*b.Get<double>());
  if (auto* c = a.Get<std::complex<double>>()) {
    auto* o = b.Get<std::complex<double>>();
    return Bits(c->real()) == Bits(o->real()) && Bits(c->imag()) == Bits(o->imag());
  }
  if (auto* t = a.Get<Tensor>()) return *t == *b.Get<Tensor>();
  return a.v_ == b.v_;
}

size_t Attr::Hash() const {
  struct Visitor {
    size_t operator()(None) const { return 1; }
    size_t operator()(bool b) const { return b ? 2 : 3; }
    size_t operator()(int64_t i) const { return std::hash<int64_t>()(i); }
    size_t operator()(double d) const { return std::hash<uint64_t>()(Bits(d)) + 7; }
    size_t operator()(const std::complex<double>& c) const { return Mix(Bits(c.real()), Bits(c.imag())); }
    size_t operator()(const std::string& s) const { return HashBytes(s); }
    size_t operator()(DType t) const { return static_cast<size_t>(t) + 11; }
    size_t operator()(const TensorPtr& p) const {
      const Tensor& t = *p;
      size_t h = static_cast<size_t>(t.defined());
      if (t.defined()) {  // the first 4 KiB tell most constants apart; equality compares them whole
        auto b = t.bytes();
        h = Mix(HashBytes({reinterpret_cast<const char*>(b.data()), std::min<size_t>(b.size(), 4096)}), b.size());
        h = Mix(h, static_cast<size_t>(t.dtype()));
        for (const Dim& d : t.type().shape()) h = Mix(h, static_cast<size_t>(d.value()));
      }
      return h;
    }
    size_t operator()(InputRef r) const { return static_cast<size_t>(r.index) + 13; }
    size_t operator()(const GraphRef& g) const { return HashBytes(g.name) + 17; }
    size_t operator()(const List& l) const {
      size_t h = l.size();
      for (const Attr& a : l) h = Mix(h, a.Hash());
      return h;
    }
  };
  return Mix(v_.index(), std::visit(Visitor{}, v_));
}

AttrMap::AttrMap(std::initializer_list<std::pair<std::string, Attr>> items) {
  items_.reserve(items.size());
  for (const auto& [name, value] : items) Set(name, value);
}

void AttrMap::Set(std::string_view name, Attr value) {
  auto it = items_.begin();
  while (it != items_.end() && it->first < name) ++it;
  if (it != items_.end() && it->first == name)
    it->second = std::move(value);
  else
    items_.emplace(it, std::string(name), std::move(value));
}

bool AttrMap::Remove(std::string_view name) {
  return std::erase_if(items_, [&](const auto& item) { return item.first == name; }) != 0;
}

std::string ToString(const Attr& attr) {
  if (attr.IsNone()) return "none";
  if (auto* b = attr.Get<bool>()) return *b ? "true" : "false";
  if (auto* i = attr.Get<int64_t>()) return StrCat(*i);
  if (auto* d = attr.Get<double>()) return Float(*d);
  if (auto* c = attr.Get<std::complex<double>>()) return StrCat("complex(", Float(c->real()), ",", Float(c->imag()), ")");
  if (auto* s = attr.Get<std::string>()) return Quoted(*s);
  if (auto* t = attr.Get<DType>()) return StrCat("dtype(", Name(*t), ")");
  if (auto* r = attr.Get<Attr::InputRef>()) return StrCat("$", r->index);
  if (auto* g = attr.Get<Attr::GraphRef>()) return StrCat("@", g->name);
  if (auto* l = attr.Get<Attr::List>()) {
    std::string out = "[";
    for (size_t i = 0; i < l->size(); ++i) out += StrCat(i ? ", " : "", ToString((*l)[i]));
    return out + "]";
  }
  const Tensor* t = attr.Get<Tensor>();
  return t && t->defined() ? StrCat("tensor<", ToString(t->type()), ">") : "tensor<>";
}

}  // namespace ge
