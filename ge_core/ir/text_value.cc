#include "ge_core/ir/text_value.h"

#include <cstring>

#include "ge_core/ir/text.h"
#include "ge_core/ir/text_literal.h"
#include "ge_core/ir/verifier.h"

namespace ge::text {
namespace {

constexpr int kMaxAttrDepth = 64;

// Dims up to `close`, which is consumed.
Result<std::vector<Dim>> ParseDims(Cursor& c, char close) {
  std::vector<Dim> dims;
  if (c.Eat(close)) return dims;
  const std::string_view text = c.text();
  for (;;) {
    c.Skip();
    const size_t start = c.pos();
    size_t end = start;
    for (int depth = 0; end < text.size(); ++end) {
      const char ch = text[end];
      if (ch == '(')
        ++depth;
      else if (ch == ')')
        --depth;
      else if (ch == '\n' || (depth <= 0 && (ch == ',' || ch == close)))
        break;
    }
    Result<Dim> d = Dim::Parse(text.substr(start, end - start));
    if (!d.ok()) return c.FailAt(start, d.message());
    dims.push_back(*std::move(d));
    c.Seek(end);
    if (c.Eat(close)) return dims;
    if (!c.Eat(',')) return c.Fail(StrCat("expected ',' or '", close, "' after a dim"));
  }
}

Result<StorageLayout> ParseLayout(Cursor& c, int64_t rank) {
  const size_t at = c.pos() - 1;
  StorageLayout layout;
  if (c.EatWord("free")) {
    layout.kind = StorageLayout::Kind::kFree;
    GE_RETURN_IF_ERROR(c.Expect('}'));
  } else if (c.EatWord("packed")) {
    GE_ASSIGN_OR_RETURN(std::string name, c.String());
    layout = StorageLayout::Packed(std::move(name));
    GE_RETURN_IF_ERROR(c.Expect('}'));
  } else {
    GE_ASSIGN_OR_RETURN(std::vector<Dim> strides, ParseDims(c, '}'));
    if (static_cast<int64_t>(strides.size()) != rank)
      return c.FailAt(at, StrCat("the layout has ", strides.size(), " strides, the shape has ", rank, " dims"));
    layout = StorageLayout::Strided(std::move(strides));
  }
  return layout;
}

Result<Attr> ParseAttrDepth(Cursor& c, Budget& budget, int depth);

Result<Attr> ParseNumber(Cursor& c) {
  const size_t at = c.pos();
  const std::string_view token = NumberToken(c);
  if (!token.empty() && token.find_first_of(".eE") == std::string_view::npos) {
    int64_t v = 0;
    const auto r = std::from_chars(token.data(), token.data() + token.size(), v);
    if (r.ec != std::errc()) return c.FailAt(at, StrCat("'", token.substr(0, 40), "' does not fit int64"));
    return Attr(v);
  }
  c.Seek(at);
  double v = 0;
  GE_RETURN_IF_ERROR(ParseElement(c, DType::kF64, reinterpret_cast<std::byte*>(&v)));
  return Attr(v);
}

Result<Attr> ParseKeyword(Cursor& c, Budget& budget) {
  const size_t at = c.pos();
  if (c.EatWord("true")) return Attr(true);
  if (c.EatWord("false")) return Attr(false);
  if (c.EatWord("none")) return Attr();
  if (c.PeekWord("nan") || c.PeekWord("inf")) return ParseNumber(c);
  if (c.PeekWord("complex")) {
    double parts[2] = {};
    GE_RETURN_IF_ERROR(ParseElement(c, DType::kC128, reinterpret_cast<std::byte*>(parts)));
    return Attr(std::complex<double>(parts[0], parts[1]));
  }
  if (c.EatWord("dtype")) {
    GE_RETURN_IF_ERROR(c.Expect('('));
    c.Skip();
    const size_t name_at = c.pos();
    const std::string_view name = c.Ident();
    const auto dtype = DTypeFromName(name);
    if (!dtype) return c.FailAt(name_at, StrCat("unknown dtype '", name, "'"));
    GE_RETURN_IF_ERROR(c.Expect(')'));
    return Attr(*dtype);
  }
  if (c.EatWord("tensor")) {
    GE_RETURN_IF_ERROR(c.Expect('<'));
    if (c.Eat('>')) return Attr(Tensor());
    const size_t type_at = c.pos();
    GE_ASSIGN_OR_RETURN(ValueType type, ParseTypeAt(c));
    if (!type.IsStatic()) return c.FailAt(type_at, "a tensor attribute needs a static tensor type");
    GE_RETURN_IF_ERROR(c.Expect('>'));
    GE_ASSIGN_OR_RETURN(Tensor t, ParseTensorAt(c, type, budget));
    return Attr(std::move(t));
  }
  return c.FailAt(at, StrCat("'", c.Ident(),
                             "' is not an attribute value; expected a number, string, list, true, false, none, dtype(...), complex(...), "
                             "tensor<...>, $input or @graph"));
}

Result<Attr> ParseAttrDepth(Cursor& c, Budget& budget, int depth) {
  if (depth > kMaxAttrDepth) return c.Fail("lists are nested too deeply");
  c.Skip();
  const char ch = c.Raw();
  if (ch == '"') {
    GE_ASSIGN_OR_RETURN(std::string s, c.String());
    return Attr(std::move(s));
  }
  if (c.Eat('[')) {
    Attr::List list;
    if (c.Eat(']')) return Attr(std::move(list));
    do {
      GE_ASSIGN_OR_RETURN(Attr a, ParseAttrDepth(c, budget, depth + 1));
      list.push_back(std::move(a));
    } while (c.Eat(','));
    GE_RETURN_IF_ERROR(c.Expect(']'));
    return Attr(std::move(list));
  }
  if (c.Eat('$')) {
    const size_t at = c.pos();
    const std::string_view token = c.Word();
    int index = 0;
    const auto r = std::from_chars(token.data(), token.data() + token.size(), index);
    if (r.ec != std::errc() || r.ptr != token.data() + token.size()) return c.FailAt(at, "expected the index of an input after '$'");
    return Attr(Attr::InputRef{index});
  }
  if (c.Eat('@')) {
    GE_ASSIGN_OR_RETURN(std::string name, ParseName(c));
    return Attr(Attr::GraphRef{std::move(name)});
  }
  return IsIdentStart(ch) ? ParseKeyword(c, budget) : ParseNumber(c);
}

struct TensorParser {
  Cursor& c;
  const ValueType& type;
  size_t element_bytes;
  std::vector<std::byte> data;

  Status Element() {
    data.resize(data.size() + element_bytes);
    return ParseElement(c, type.dtype(), data.data() + data.size() - element_bytes);
  }
  Status List(size_t level) {
    GE_RETURN_IF_ERROR(c.Expect('['));
    const size_t at = c.pos() - 1;
    const bool flat = level == 0 && !c.Peek('[');
    const int64_t expected = flat ? type.StaticNumElements() : type.shape()[level].value();
    int64_t count = 0;
    if (!c.Peek(']')) {
      do {
        if (flat || level + 1 == type.shape().size())
          GE_RETURN_IF_ERROR(Element());
        else
          GE_RETURN_IF_ERROR(List(level + 1));
        ++count;
      } while (c.Eat(','));
    }
    if (count != expected) return c.FailAt(at, StrCat("the list has ", count, " items, ", ToString(type), " needs ", expected));
    return c.Expect(']');
  }
};

void AppendList(std::string& out, const Tensor& t, size_t level, const std::byte*& p) {
  if (level == t.type().shape().size()) {
    AppendElement(out, t.dtype(), p);
    p += SizeOf(t.dtype());
    return;
  }
  out += '[';
  for (int64_t i = 0; i < t.type().shape()[level].value(); ++i) {
    if (i) out += ", ";
    AppendList(out, t, level + 1, p);
  }
  out += ']';
}

}  // namespace

Result<std::string> ParseName(Cursor& c) {
  if (c.Peek('"')) return c.String();
  const std::string_view name = c.Ident();
  if (name.empty()) return c.Fail("expected a name");
  return std::string(name);
}

Result<ValueType> ParseTypeAt(Cursor& c) {
  c.Skip();
  const size_t at = c.pos();
  const std::string_view name = c.Ident();
  if (name == "opaque") return ValueType::Opaque();
  if (name.starts_with("sym.")) {
    const auto dtype = DTypeFromName(name.substr(4));
    if (dtype != DType::kI64 && dtype != DType::kF64 && dtype != DType::kBool)
      return c.FailAt(at, StrCat("'", name, "' is no type; expected sym.i64, sym.f64 or sym.bool"));
    if (c.Raw() != '[') return ValueType::Sym(*dtype);
    c.Eat('[');
    GE_ASSIGN_OR_RETURN(std::vector<Dim> dims, ParseDims(c, ']'));
    if (dims.size() != 1) return c.FailAt(at, StrCat("a sym has one expression, found ", dims.size()));
    return ValueType::Sym(*dtype, dims[0]);
  }
  const auto dtype = DTypeFromName(name);
  if (!dtype)
    return name.empty() ? c.Fail("expected a type")
                        : c.FailAt(at, StrCat("unknown type '", name, "'; expected a dtype such as f32 or i64, sym.i64, or opaque"));
  if (!c.Eat('[')) return c.Fail(StrCat("expected '[' and the shape after ", name));
  GE_ASSIGN_OR_RETURN(Shape shape, ParseDims(c, ']'));
  ValueType type = ValueType::Tensor(*dtype, std::move(shape));
  if (c.Raw() == ':') {
    c.Eat(':');
    const size_t format_at = c.pos();
    const std::string_view format = c.Ident();
    const auto f = FormatFromName(format);
    if (!f) return c.FailAt(format_at, StrCat("unknown format '", format, "'; expected ND, NCHW, NHWC, HWCN, NCDHW or NDHWC"));
    type.format = *f;
  }
  if (c.Raw() == '{') {
    c.Eat('{');
    GE_ASSIGN_OR_RETURN(type.layout, ParseLayout(c, type.rank()));
  }
  if (c.Raw() == '@') {
    c.Eat('@');
    if (!c.EatWord("host")) return c.Fail("expected 'host' after '@'");
    type.placement = ValueType::Placement::kHost;
  }
  if (Status s = CheckType(type); !s.ok()) return c.FailAt(at, s.message());
  return type;
}

Result<Attr> ParseAttrAt(Cursor& c, Budget& budget) { return ParseAttrDepth(c, budget, 0); }

Result<AttrMap> ParseAttrsAt(Cursor& c, Budget& budget) {
  AttrMap attrs;
  if (!c.Eat('{')) return attrs;
  do {
    c.Skip();
    const size_t at = c.pos();
    GE_ASSIGN_OR_RETURN(std::string name, ParseName(c));
    if (attrs.Find(name)) return c.FailAt(at, StrCat("attribute '", name, "' is given twice"));
    GE_RETURN_IF_ERROR(c.Expect('='));
    GE_ASSIGN_OR_RETURN(Attr value, ParseAttrAt(c, budget));
    attrs.Set(name, std::move(value));
  } while (c.Eat(','));
  GE_RETURN_IF_ERROR(c.Expect('}'));
  return attrs;
}

Status SkipLiteral(Cursor& c) {
  int depth = 0;
  do {
    if (c.Eat('[')) {
      ++depth;
      continue;
    }
    if (c.Eat(']')) {
      if (--depth < 0) return c.Fail("']' without '['");
      continue;
    }
    if (depth && c.Eat(',')) continue;
    c.Eat('-');
    c.Skip();
    const size_t start = c.pos();
    if (NumberToken(c).empty()) c.Word();
    if (c.pos() == start) return c.Fail("expected a number");
    if (c.Raw() == '(') {
      size_t p = c.pos();
      int open = 0;  // complex(nan(0x7fc00001),0)
      do {
        open += c.text()[p] == '(';
        open -= c.text()[p] == ')';
      } while (open && ++p < c.text().size());
      if (open) return c.Fail("'(' is not closed");
      c.Seek(p + 1);
    }
  } while (depth);
  return {};
}

Result<Tensor> ParseTensorAt(Cursor& c, const ValueType& type, Budget& budget) {
  const int64_t n = type.StaticNumElements(), bytes = type.StaticBytes();
  c.Skip();
  const size_t at = c.pos();
  if (bytes > budget.bytes)
    return c.FailAt(at, StrCat("a constant of ", ToString(type), " exceeds the ", budget.bytes, " bytes left for constants of a text"));
  TensorParser parser{c, type, SizeOf(type.dtype()), {}};
  if (c.Peek('[')) {
    if (type.rank() == 0) return c.Fail(StrCat("a constant of ", ToString(type), " is one number"));
    if (n == 0) {  // [] whatever the shape
      GE_RETURN_IF_ERROR(c.Expect('['));
      GE_RETURN_IF_ERROR(c.Expect(']'));
      return Tensor(type);
    }
    GE_RETURN_IF_ERROR(parser.List(0));
  } else {
    if (n == 0) return c.Fail("an empty constant is written []");
    GE_RETURN_IF_ERROR(parser.Element());
  }
  budget.bytes -= bytes;
  Tensor t(type);
  std::byte* out = t.mutable_data<std::byte>();
  if (parser.data.size() == static_cast<size_t>(bytes)) {
    std::memcpy(out, parser.data.data(), parser.data.size());
  } else {
    bool zero = true;  // the buffer is zero-filled
    for (std::byte b : parser.data) zero &= b == std::byte{0};
    if (!zero)
      for (int64_t i = 0; i < n; ++i)
        std::memcpy(out + static_cast<size_t>(i) * parser.element_bytes, parser.data.data(), parser.element_bytes);
  }
  return t;
}

bool IsSplat(const Tensor& t) {
  const auto bytes = t.bytes();
  const size_t size = SizeOf(t.dtype());
  return !bytes.empty() && std::memcmp(bytes.data(), bytes.data() + size, bytes.size() - size) == 0;
}

void AppendName(std::string& out, std::string_view name) { out += IsIdent(name) ? std::string(name) : ToString(Attr(name)); }

void AppendTensor(std::string& out, const Tensor& t) {
  if (t.num_elements() == 0) {
    out += "[]";
  } else if (IsSplat(t)) {
    AppendElement(out, t.dtype(), t.data<std::byte>());
  } else {
    const std::byte* p = t.data<std::byte>();
    AppendList(out, t, 0, p);
  }
}

void AppendAttr(std::string& out, const Attr& attr) {
  if (auto* list = attr.Get<Attr::List>()) {
    out += '[';
    for (size_t i = 0; i < list->size(); ++i) {
      if (i) out += ", ";
      AppendAttr(out, (*list)[i]);
    }
    out += ']';
  } else if (auto* g = attr.Get<Attr::GraphRef>()) {
    out += '@';
    AppendName(out, g->name);
  } else if (auto* t = attr.Get<Tensor>()) {
    out += ToString(attr);
    if (t->defined()) AppendTensor(out, *t);
  } else {
    out += ToString(attr);
  }
}

}  // namespace ge::text

namespace ge {

std::string PrintAttr(const Attr& attr) {
  std::string out;
  text::AppendAttr(out, attr);
  return out;
}

Result<ValueType> ParseType(std::string_view text) {
  text::Cursor c(text);
  GE_ASSIGN_OR_RETURN(ValueType type, text::ParseTypeAt(c));
  if (!c.AtEnd()) return c.Fail("expected the end of the type");
  return type;
}

Result<Attr> ParseAttr(std::string_view text, const ParseOptions& options) {
  text::Cursor c(text);
  text::Budget budget{options.max_constant_bytes};
  GE_ASSIGN_OR_RETURN(Attr attr, text::ParseAttrAt(c, budget));
  if (!c.AtEnd()) return c.Fail("expected the end of the attribute");
  return attr;
}

}  // namespace ge
