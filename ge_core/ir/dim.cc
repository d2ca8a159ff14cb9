// Canonical integer polynomials over atoms. An atom is a symbol or a non-linear operation (// % min max) on canonical
// dims. A node caches its canonical text, so that structural equality is a string comparison.
#include "ge_core/ir/dim.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <numeric>

#include "ge_core/base/str.h"

namespace ge {
namespace {

// Expressions that grow beyond these bounds become Unknown: always right, and no input can make them explode.
constexpr size_t kMaxText = 4096;
constexpr size_t kMaxTerms = 256;

enum class AtomKind : uint8_t { kSymbol, kFloorDiv, kMod, kMin, kMax };

struct Atom {
  AtomKind kind;
  std::vector<Dim> args;  // empty for a symbol
  std::string text;       // the symbol's name, or the printed operation
  // An infix operation as an operand of another one needs parentheses.
  bool infix() const { return kind == AtomKind::kFloorDiv || kind == AtomKind::kMod; }
};
using AtomPtr = std::shared_ptr<const Atom>;

struct Term {
  int64_t coeff;
  std::vector<AtomPtr> factors;  // sorted by text; a power repeats its atom
  std::string key;               // the factors' text, joined by *
};

// Higher degree first, then by text: "s0*s1+2*s0+1".
bool Before(const Term& a, const Term& b) {
  if (a.factors.size() != b.factors.size()) return a.factors.size() > b.factors.size();
  return a.key < b.key;
}

struct Poly {
  int64_t constant = 0;
  std::vector<Term> terms;  // sorted by Before, coefficients not 0
};

// Checked arithmetic; false on overflow. INT64_MIN counts as overflow for coefficients, because -INT64_MIN is none.
bool Add(int64_t a, int64_t b, int64_t* out) { return !__builtin_add_overflow(a, b, out); }
bool Mul(int64_t a, int64_t b, int64_t* out) { return !__builtin_mul_overflow(a, b, out); }
bool FloorDivInt(int64_t a, int64_t b, int64_t* out) {
  if (b == 0 || (a == INT64_MIN && b == -1)) return false;
  *out = a / b - (a % b != 0 && (a % b < 0) != (b < 0));
  return true;
}
bool ModInt(int64_t a, int64_t b, int64_t* out) {
  if (b == 0) return false;
  if (b == -1) return *out = 0, true;
  *out = a % b;
  if (*out != 0 && (*out < 0) != (b < 0)) *out += b;
  return true;
}

std::string Key(const std::vector<AtomPtr>& factors) {
  std::string key;
  for (const AtomPtr& f : factors) {
    if (!key.empty()) key += '*';
    key += f->infix() && factors.size() > 1 ? StrCat("(", f->text, ")") : f->text;
  }
  return key;
}

std::string TextOf(const Poly& p) {
  std::string out;
  for (const Term& t : p.terms) {
    if (t.coeff < 0)
      out += '-';
    else if (!out.empty())
      out += '+';
    const int64_t magnitude = t.coeff < 0 ? -t.coeff : t.coeff;
    // -(a//b) is not (-a)//b.
    const bool wrap = t.factors.size() == 1 && t.factors[0]->infix() && t.coeff != 1;
    if (magnitude != 1) out += StrCat(magnitude, "*");
    out += wrap ? StrCat("(", t.key, ")") : t.key;
  }
  if (p.constant != 0 || out.empty()) out += StrCat(p.constant > 0 && !out.empty() ? "+" : "", p.constant);
  return out;
}

}  // namespace

struct Dim::Node {
  bool unknown = false;
  Poly poly;  // at least one term unless unknown
  std::string text;
};

struct DimImpl {
  static Dim FromNode(std::shared_ptr<const Dim::Node> node) {
    Dim d;
    d.node_ = std::move(node);
    return d;
  }
  static const Dim::Node* NodeOf(const Dim& d) { return d.node_.get(); }

  static Poly PolyOf(const Dim& d) {
    if (!d.node_) return {d.value_, {}};
    return d.node_->poly;
  }

  static Dim Make(Poly p) {
    if (p.terms.empty()) return Dim(p.constant);
    if (p.terms.size() > kMaxTerms || p.constant == INT64_MIN) return Dim::Unknown();  // "s0-9223372036854775808" would not parse
    for (const Term& t : p.terms)
      if (t.coeff == INT64_MIN) return Dim::Unknown();
    auto node = std::make_shared<Dim::Node>();
    node->text = TextOf(p);
    if (node->text.size() > kMaxText) return Dim::Unknown();
    node->poly = std::move(p);
    return FromNode(std::move(node));
  }

  static Dim MakeAtom(AtomKind kind, std::vector<Dim> args, std::string text) {
    if (text.size() > kMaxText) return Dim::Unknown();
    auto atom = std::make_shared<Atom>(Atom{kind, std::move(args), std::move(text)});
    Poly p;
    p.terms.push_back({1, {atom}, atom->text});
    return Make(std::move(p));
  }

  // Text as an operand of // or %.
  static std::string Operand(const Dim& d) {
    const std::string text = d.ToString();
    if (d.IsConst()) return d.value() < 0 ? StrCat("(", text, ")") : text;
    const Poly& p = NodeOf(d)->poly;
    const bool plain = p.constant == 0 && p.terms.size() == 1 && p.terms[0].coeff == 1 && p.terms[0].factors.size() == 1 &&
                       !p.terms[0].factors[0]->infix();
    return plain ? text : StrCat("(", text, ")");
  }

  // The one atom that the dim consists of, or null.
  static const Atom* SoleAtom(const Dim& d) {
    const Dim::Node* n = NodeOf(d);
    if (!n || n->unknown || n->poly.constant != 0 || n->poly.terms.size() != 1) return nullptr;
    const Term& t = n->poly.terms[0];
    return t.coeff == 1 && t.factors.size() == 1 ? t.factors[0].get() : nullptr;
  }

  // a + sign * b, or Unknown on overflow.
  static Dim Sum(const Dim& a, const Dim& b, int64_t sign) {
    Poly x = PolyOf(a), y = PolyOf(b), out;
    int64_t c;
    if (!Mul(y.constant, sign, &c) || !Add(x.constant, c, &out.constant)) return Dim::Unknown();
    for (Term& t : y.terms) t.coeff *= sign;  // coefficients are never INT64_MIN
    out.terms.reserve(x.terms.size() + y.terms.size());
    size_t i = 0, j = 0;
    while (i < x.terms.size() || j < y.terms.size()) {
      if (j == y.terms.size() || (i < x.terms.size() && Before(x.terms[i], y.terms[j]))) {
        out.terms.push_back(std::move(x.terms[i++]));
      } else if (i == x.terms.size() || Before(y.terms[j], x.terms[i])) {
        out.terms.push_back(std::move(y.terms[j++]));
      } else {
        if (!Add(x.terms[i].coeff, y.terms[j].coeff, &x.terms[i].coeff)) return Dim::Unknown();
        if (x.terms[i].coeff != 0) out.terms.push_back(std::move(x.terms[i]));
        ++i, ++j;
      }
    }
    return Make(std::move(out));
  }

  static Dim Product(const Dim& a, const Dim& b) {
    const Poly x = PolyOf(a), y = PolyOf(b);
    if ((x.terms.size() + 1) * (y.terms.size() + 1) > 4 * kMaxTerms) return Dim::Unknown();
    Poly out;
    if (!Mul(x.constant, y.constant, &out.constant)) return Dim::Unknown();
    std::map<std::string, Term, std::less<>> sum;
    auto accumulate = [&](const Term* s, int64_t sc, const Term* t, int64_t tc) {
      int64_t coeff;
      if (!Mul(sc, tc, &coeff)) return false;
      if (coeff == 0) return true;
      Term m{coeff, {}, {}};
      if (s) m.factors = s->factors;
      if (t) m.factors.insert(m.factors.end(), t->factors.begin(), t->factors.end());
      std::sort(m.factors.begin(), m.factors.end(), [](const AtomPtr& p, const AtomPtr& q) { return p->text < q->text; });
      m.key = s && t ? Key(m.factors) : s ? s->key : t->key;
      if (m.key.size() > kMaxText) return false;
      auto [it, fresh] = sum.try_emplace(m.key, m);
      return fresh || Add(it->second.coeff, coeff, &it->second.coeff);
    };
    for (const Term& s : x.terms) {
      if (!accumulate(&s, s.coeff, nullptr, y.constant)) return Dim::Unknown();
      for (const Term& t : y.terms)
        if (!accumulate(&s, s.coeff, &t, t.coeff)) return Dim::Unknown();
    }
    for (const Term& t : y.terms)
      if (!accumulate(nullptr, x.constant, &t, t.coeff)) return Dim::Unknown();
    for (auto& [key, term] : sum)
      if (term.coeff != 0) out.terms.push_back(std::move(term));
    std::sort(out.terms.begin(), out.terms.end(), Before);
    return Make(std::move(out));
  }

  // a / b where b is one product and divides every term of a exactly; nullopt otherwise.
  static std::optional<Dim> ExactQuotient(const Dim& a, const Dim& b) {
    const Poly divisor = PolyOf(b);
    if (divisor.constant != 0 || divisor.terms.size() != 1) return std::nullopt;
    const Term& d = divisor.terms[0];
    Poly x = PolyOf(a), out;
    if (x.constant != 0) return std::nullopt;
    for (Term& t : x.terms) {
      if (t.coeff % d.coeff != 0) return std::nullopt;
      std::vector<AtomPtr> rest = t.factors;
      for (const AtomPtr& f : d.factors) {
        auto it = std::find_if(rest.begin(), rest.end(), [&](const AtomPtr& r) { return r->text == f->text; });
        if (it == rest.end()) return std::nullopt;
        rest.erase(it);
      }
      if (rest.empty()) {
        out.constant = t.coeff / d.coeff;
      } else {
        std::string key = Key(rest);
        out.terms.push_back({t.coeff / d.coeff, std::move(rest), std::move(key)});
      }
    }
    std::sort(out.terms.begin(), out.terms.end(), Before);
    return Make(std::move(out));
  }

  static Dim QuotientByConst(const Dim& a, int64_t k);
  static Dim RemainderByConst(const Dim& a, int64_t k);
  static Dim Extreme(AtomKind kind, const Dim& a, const Dim& b);
  static std::optional<int64_t> Eval(const Dim& d, const Dim::Lookup& lookup);
  static std::optional<int64_t> Eval(const Atom& atom, const Dim::Lookup& lookup);
  static void Collect(const Dim& d, std::vector<std::string>* out);
};

// a // k, k > 1. (k*P + Q) // k == P + Q // k holds for all integers: multiples of k and whole parts of the constant
// move out, and what is left is divided by the common factor. So (s0-1)//2+1 and (s0+1)//2 are one expression.
Dim DimImpl::QuotientByConst(const Dim& a, int64_t k) {
  Poly whole, rest;
  const Poly p = PolyOf(a);
  if (!FloorDivInt(p.constant, k, &whole.constant) || !ModInt(p.constant, k, &rest.constant)) return Dim::Unknown();
  int64_t common = k;
  for (const Term& t : p.terms) {
    if (t.coeff % k == 0) {
      whole.terms.push_back(t);
      whole.terms.back().coeff /= k;
    } else {
      rest.terms.push_back(t);
      common = std::gcd(common, t.coeff);
    }
  }
  if (rest.terms.empty()) return Make(std::move(whole));
  for (Term& t : rest.terms) t.coeff /= common;
  rest.constant /= common;  // not negative: floor
  int64_t divisor = k / common;
  Dim inner = Make(std::move(rest));
  if (inner.IsUnknown()) return inner;
  if (const Atom* atom = SoleAtom(inner);
      atom && atom->kind == AtomKind::kFloorDiv && atom->args[1].IsConst() && atom->args[1].value() > 0) {
    int64_t product;  // (a // b) // c == a // (b * c)
    if (Mul(atom->args[1].value(), divisor, &product)) return Make(std::move(whole)) + QuotientByConst(Dim(atom->args[0]), product);
  }
  if (divisor == 1) return Make(std::move(whole)) + inner;
  std::string text = StrCat(Operand(inner), "//", divisor);
  return Make(std::move(whole)) + MakeAtom(AtomKind::kFloorDiv, {inner, Dim(divisor)}, std::move(text));
}

// a % k, k > 1: only residues of the coefficients matter.
Dim DimImpl::RemainderByConst(const Dim& a, int64_t k) {
  Poly p = PolyOf(a), rest;
  if (!ModInt(p.constant, k, &rest.constant)) return Dim::Unknown();
  for (Term& t : p.terms) {
    if (!ModInt(t.coeff, k, &t.coeff)) return Dim::Unknown();
    if (t.coeff != 0) rest.terms.push_back(std::move(t));
  }
  Dim inner = Make(std::move(rest));
  if (inner.IsUnknown() || inner.IsConst()) return inner;
  if (const Atom* atom = SoleAtom(inner); atom && atom->kind == AtomKind::kMod && atom->args[1].Is(k)) return inner;
  std::string text = StrCat(Operand(inner), "%", k);
  return MakeAtom(AtomKind::kMod, {inner, Dim(k)}, std::move(text));
}

Dim DimImpl::Extreme(AtomKind kind, const Dim& a, const Dim& b) {
  const bool is_max = kind == AtomKind::kMax;
  std::vector<Dim> args;
  for (const Dim* d : {&a, &b}) {
    const Atom* atom = SoleAtom(*d);
    if (atom && atom->kind == kind)
      args.insert(args.end(), atom->args.begin(), atom->args.end());
    else
      args.push_back(*d);
  }
  if (args.size() > 64) return Dim::Unknown();
  std::vector<Dim> kept;
  for (const Dim& d : args) {  // of two that differ by a constant, one goes
    bool add = true;
    for (Dim& k : kept) {
      if (d.IsConst() && k.IsConst()) {  // their difference may overflow
        if (is_max == (d.value() > k.value())) k = d;
      } else {
        const Dim difference = d - k;
        if (!difference.IsConst()) continue;
        if (is_max == (difference.value() > 0)) k = d;
      }
      add = false;
      break;
    }
    if (add) kept.push_back(d);
  }
  if (kept.size() == 1) return kept[0];
  std::sort(kept.begin(), kept.end(), [](const Dim& x, const Dim& y) {  // the constant first: max(1,s0)
    return x.IsConst() != y.IsConst() ? x.IsConst() : x.ToString() < y.ToString();
  });
  std::string text = is_max ? "max(" : "min(";
  for (size_t i = 0; i < kept.size(); ++i) text += StrCat(i ? "," : "", kept[i].ToString());
  return MakeAtom(kind, std::move(kept), text + ")");
}

Dim Dim::Unknown() {
  static const std::shared_ptr<const Node> node = [] {
    auto n = std::make_shared<Node>();
    n->unknown = true;
    n->text.assign(1, '?');
    return n;
  }();
  return DimImpl::FromNode(node);
}

Dim Dim::Symbol(std::string_view name) {
  bool valid = !name.empty() && !std::isdigit(static_cast<unsigned char>(name[0]));
  for (char c : name) valid = valid && (std::isalnum(static_cast<unsigned char>(c)) || c == '_');
  GE_CHECK(valid, "Dim::Symbol: not an identifier");
  return DimImpl::MakeAtom(AtomKind::kSymbol, {}, std::string(name));
}

bool Dim::IsUnknown() const { return node_ && node_->unknown; }

Dim operator+(const Dim& a, const Dim& b) {
  if (a.IsConst() && b.IsConst()) {
    int64_t v;
    return Add(a.value(), b.value(), &v) ? Dim(v) : Dim::Unknown();
  }
  if (a.IsUnknown() || b.IsUnknown()) return Dim::Unknown();
  return DimImpl::Sum(a, b, 1);
}

Dim operator-(const Dim& a, const Dim& b) {
  if (a.IsConst() && b.IsConst()) {
    int64_t v;
    return !__builtin_sub_overflow(a.value(), b.value(), &v) ? Dim(v) : Dim::Unknown();
  }
  if (a.IsUnknown() || b.IsUnknown()) return Dim::Unknown();
  return DimImpl::Sum(a, b, -1);
}

Dim operator*(const Dim& a, const Dim& b) {
  if (a.IsConst() && b.IsConst()) {
    int64_t v;
    return Mul(a.value(), b.value(), &v) ? Dim(v) : Dim::Unknown();
  }
  if (a.Is(0) || b.Is(0)) return 0;
  if (a.Is(1)) return b;
  if (b.Is(1)) return a;
  if (a.IsUnknown() || b.IsUnknown()) return Dim::Unknown();
  return DimImpl::Product(a, b);
}

Dim Dim::FloorDiv(const Dim& a, const Dim& b) {
  int64_t v;
  if (a.IsConst() && b.IsConst()) return FloorDivInt(a.value(), b.value(), &v) ? Dim(v) : Unknown();
  if (a.IsUnknown() || b.IsUnknown() || b.Is(0)) return Unknown();
  if (b.Is(1)) return a;
  if (b.IsConst()) {
    if (b.value() == INT64_MIN) return Unknown();
    return b.value() > 0 ? DimImpl::QuotientByConst(a, b.value()) : FloorDiv(Dim(0) - a, Dim(-b.value()));
  }
  if (auto q = DimImpl::ExactQuotient(a, b)) return *q;
  std::string text = StrCat(DimImpl::Operand(a), "//", DimImpl::Operand(b));
  return DimImpl::MakeAtom(AtomKind::kFloorDiv, {a, b}, std::move(text));
}

Dim Dim::Mod(const Dim& a, const Dim& b) {
  int64_t v;
  if (a.IsConst() && b.IsConst()) return ModInt(a.value(), b.value(), &v) ? Dim(v) : Unknown();
  if (a.IsUnknown() || b.IsUnknown() || b.Is(0)) return Unknown();
  if (b.Is(1) || b.Is(-1)) return 0;
  if (b.IsConst() && b.value() > 0) return DimImpl::RemainderByConst(a, b.value());
  if (!b.IsConst() && DimImpl::ExactQuotient(a, b)) return 0;
  std::string text = StrCat(DimImpl::Operand(a), "%", DimImpl::Operand(b));
  return DimImpl::MakeAtom(AtomKind::kMod, {a, b}, std::move(text));
}

Dim Dim::Min(const Dim& a, const Dim& b) {
  if (a.IsConst() && b.IsConst()) return std::min(a.value(), b.value());
  if (a.IsUnknown() || b.IsUnknown()) return Unknown();
  return DimImpl::Extreme(AtomKind::kMin, a, b);
}

Dim Dim::Max(const Dim& a, const Dim& b) {
  if (a.IsConst() && b.IsConst()) return std::max(a.value(), b.value());
  if (a.IsUnknown() || b.IsUnknown()) return Unknown();
  return DimImpl::Extreme(AtomKind::kMax, a, b);
}

bool operator==(const Dim& a, const Dim& b) {
  if (a.IsConst() || b.IsConst()) return a.IsConst() && b.IsConst() && a.value_ == b.value_;
  return a.node_ == b.node_ || a.node_->text == b.node_->text;
}

std::string Dim::ToString() const { return node_ ? node_->text : std::to_string(value_); }

std::optional<int64_t> DimImpl::Eval(const Atom& atom, const Dim::Lookup& lookup) {
  if (atom.kind == AtomKind::kSymbol) return lookup(atom.text);
  std::optional<int64_t> acc = Eval(atom.args[0], lookup);
  for (size_t i = 1; acc && i < atom.args.size(); ++i) {
    const auto b = Eval(atom.args[i], lookup);
    if (!b) return std::nullopt;
    int64_t v = 0;
    switch (atom.kind) {
      case AtomKind::kFloorDiv:
        if (!FloorDivInt(*acc, *b, &v)) return std::nullopt;
        break;
      case AtomKind::kMod:
        if (!ModInt(*acc, *b, &v)) return std::nullopt;
        break;
      case AtomKind::kMin: v = std::min(*acc, *b); break;
      default: v = std::max(*acc, *b); break;
    }
    acc = v;
  }
  return acc;
}

std::optional<int64_t> DimImpl::Eval(const Dim& d, const Dim::Lookup& lookup) {
  if (d.IsConst()) return d.value();
  if (d.IsUnknown()) return std::nullopt;
  int64_t sum = d.node_->poly.constant;
  for (const Term& t : d.node_->poly.terms) {
    int64_t product = t.coeff;
    for (const AtomPtr& f : t.factors) {
      const auto v = Eval(*f, lookup);
      if (!v || !Mul(product, *v, &product)) return std::nullopt;
    }
    if (!Add(sum, product, &sum)) return std::nullopt;
  }
  return sum;
}

std::optional<int64_t> Dim::Evaluate(const Lookup& lookup) const {
  if (!node_) return value_;
  return DimImpl::Eval(*this, lookup);
}

void DimImpl::Collect(const Dim& d, std::vector<std::string>* out) {
  if (!d.IsSymbolic()) return;
  for (const Term& t : d.node_->poly.terms)
    for (const AtomPtr& f : t.factors) {
      if (f->kind == AtomKind::kSymbol) out->push_back(f->text);
      for (const Dim& arg : f->args) Collect(arg, out);
    }
}

std::vector<std::string> Dim::Symbols() const {
  std::vector<std::string> names;
  DimImpl::Collect(*this, &names);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace ge
