// Dim::Parse: the printed form, and the spellings of sympy and torch.utils._sympy.
#include <cctype>
#include <charconv>

#include "ge_core/base/str.h"
#include "ge_core/ir/dim.h"

namespace ge {
namespace {

constexpr int kMaxDepth = 100;
constexpr int64_t kMaxPower = 16;

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<Dim> Run() {
    GE_ASSIGN_OR_RETURN(Dim d, Sum());
    Skip();
    if (pos_ != text_.size()) return Fail("expected an operator or the end of the expression");
    // Unknown without a "?" in the text: the arithmetic overflowed or the expression is too large to keep.
    if (d.IsUnknown() && text_.find('?') == std::string_view::npos) return Fail("the expression overflows int64 or is too large");
    return d;
  }

 private:
  Status Fail(std::string_view what) const {
    const std::string found = pos_ < text_.size() ? StrCat("'", text_.substr(pos_, 12), "'") : "the end";
    return InvalidArgument(StrCat("dim expression, column ", pos_ + 1, ": ", what, ", found ", found));
  }
  void Skip() {
    while (pos_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[pos_]))) ++pos_;
  }
  bool Eat(std::string_view token) {
    Skip();
    if (text_.substr(pos_, token.size()) != token) return false;
    pos_ += token.size();
    return true;
  }
  bool Peek(std::string_view token) {
    Skip();
    return text_.substr(pos_, token.size()) == token;
  }

  Result<Dim> Sum() {
    if (++depth_ > kMaxDepth) return Fail("nested too deeply");
    GE_ASSIGN_OR_RETURN(Dim acc, Product());
    for (;;) {
      if (Eat("+")) {
        GE_ASSIGN_OR_RETURN(Dim b, Product());
        acc = acc + b;
      } else if (Eat("-")) {
        GE_ASSIGN_OR_RETURN(Dim b, Product());
        acc = acc - b;
      } else {
        --depth_;
        return acc;
      }
    }
  }

  Result<Dim> Product() {
    GE_ASSIGN_OR_RETURN(Dim acc, Unary());
    for (;;) {
      Skip();
      const size_t at = pos_;
      if (Peek("**")) return Fail("a power's exponent must be a small constant");
      const bool times = Eat("*"), div = !times && Eat("//"), mod = !times && !div && Eat("%");
      if (!times && !div && !mod) return acc;
      GE_ASSIGN_OR_RETURN(Dim b, Unary());
      if (!times && b.Is(0)) {
        pos_ = at;
        return Fail("division by zero");
      }
      acc = times ? acc * b : div ? Dim::FloorDiv(acc, b) : Dim::Mod(acc, b);
    }
  }

  Result<Dim> Unary() {
    if (++depth_ > kMaxDepth) return Fail("nested too deeply");
    if (!Eat("-")) {
      GE_ASSIGN_OR_RETURN(Dim d, Power());
      --depth_;
      return d;
    }
    Skip();
    if (Peek("9223372036854775808")) {  // only as a negative number
      pos_ += 19;
      if (pos_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[pos_]))) return Fail("the number does not fit int64");
      --depth_;
      return Dim(INT64_MIN);
    }
    GE_ASSIGN_OR_RETURN(Dim d, Unary());
    --depth_;
    return Dim(0) - d;
  }

  Result<Dim> Power() {
    GE_ASSIGN_OR_RETURN(Dim base, Primary());
    if (!Eat("**")) return base;
    GE_ASSIGN_OR_RETURN(Dim exponent, Unary());
    return RaiseTo(base, exponent);
  }

  Result<Dim> RaiseTo(const Dim& base, const Dim& exponent) {
    if (!exponent.IsConst() || exponent.value() < 0 || exponent.value() > kMaxPower)
      return Fail("a power's exponent must be a constant from 0 to 16");
    Dim d = 1;
    for (int64_t i = 0; i < exponent.value(); ++i) d = d * base;
    return d;
  }

  Result<Dim> Primary() {
    Skip();
    if (pos_ == text_.size()) return Fail("expected a dim");
    const char c = text_[pos_];
    if (Eat("?")) return Dim::Unknown();
    if (Eat("(")) {
      GE_ASSIGN_OR_RETURN(Dim d, Sum());
      if (!Eat(")")) return Fail("expected ')'");
      return d;
    }
    if (std::isdigit(static_cast<unsigned char>(c))) {
      int64_t v = 0;
      const auto [end, error] = std::from_chars(text_.data() + pos_, text_.data() + text_.size(), v);
      if (error != std::errc()) return Fail("the number does not fit int64");
      pos_ = static_cast<size_t>(end - text_.data());
      return Dim(v);
    }
    if (!std::isalpha(static_cast<unsigned char>(c)) && c != '_') return Fail("expected a number, a symbol, '?' or '('");
    const size_t start = pos_;
    while (pos_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[pos_])) || text_[pos_] == '_')) ++pos_;
    const std::string_view name = text_.substr(start, pos_ - start);
    if (!Peek("(")) {
      if (name.size() > 256) return Fail("the symbol's name is too long");
      return Dim::Symbol(name);
    }
    return Call(name, start);
  }

  Result<Dim> Call(std::string_view name, size_t start) {
    Eat("(");
    std::vector<Dim> args;
    do {
      GE_ASSIGN_OR_RETURN(Dim d, Sum());
      args.push_back(std::move(d));
    } while (Eat(","));
    if (!Eat(")")) return Fail("expected ',' or ')'");
    auto arity = [&](size_t n) { return args.size() == n; };
    if (name == "Max" || name == "max" || name == "Min" || name == "min") {
      Dim acc = args[0];
      for (size_t i = 1; i < args.size(); ++i) acc = name[1] == 'a' ? Dim::Max(acc, args[i]) : Dim::Min(acc, args[i]);
      return acc;
    }
    const bool division = name == "FloorDiv" || name == "CleanDiv" || name == "CeilDiv" || name == "Mod" || name == "PythonMod";
    if (division && arity(2)) {
      if (args[1].Is(0)) {
        pos_ = start;
        return Fail("division by zero");
      }
      if (name == "CeilDiv") return Dim(0) - Dim::FloorDiv(Dim(0) - args[0], args[1]);
      return name.back() == 'd' ? Dim::Mod(args[0], args[1]) : Dim::FloorDiv(args[0], args[1]);
    }
    if ((name == "PowByNatural" || name == "Pow") && arity(2)) return RaiseTo(args[0], args[1]);
    if (name == "Identity" && arity(1)) return args[0];
    pos_ = start;
    return Fail(division ? StrCat(name, " takes two arguments")
                         : "expected one of FloorDiv, CleanDiv, CeilDiv, Mod, PythonMod, Min, Max, PowByNatural, Identity");
  }

  std::string_view text_;
  size_t pos_ = 0;
  int depth_ = 0;
};

}  // namespace

Result<Dim> Dim::Parse(std::string_view text) { return Parser(text).Run(); }

}  // namespace ge
