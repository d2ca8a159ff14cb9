#include "npu_runtime/host_scalar_engine.h"

#include <cmath>

#include "ge_core/base/str.h"

namespace ge {
namespace {

using Kind = PyNumber::Kind;
PyNumber Int(int64_t v) { return {Kind::kInt, v, 0}; }
PyNumber Float(double v) { return {Kind::kFloat, 0, v}; }
PyNumber Bool(bool v) { return {Kind::kBool, v ? 1 : 0, 0}; }
bool Truth(const PyNumber& n) { return n.kind == Kind::kFloat ? n.f != 0 : n.i != 0; }
Status ZeroDivision() { return InvalidArgument("division by zero in shape arithmetic"); }
Status Overflow() { return InvalidArgument("shape arithmetic overflows 64 bits"); }

// Comparison of Python numbers: ints exactly, else as doubles.
int Compare(const PyNumber& a, const PyNumber& b) {  // 2: unordered
  if (a.kind != Kind::kFloat && b.kind != Kind::kFloat) return a.i < b.i ? -1 : a.i > b.i;
  const double x = a.AsDouble(), y = b.AsDouble();
  if (std::isnan(x) || std::isnan(y)) return 2;
  return x < y ? -1 : x > y;
}

Result<PyNumber> IntPow(int64_t base, int64_t exponent) {
  int64_t r = 1;
  for (int64_t i = 0; i < exponent; ++i) {
    if (__builtin_mul_overflow(r, base, &r)) return Overflow();
    if (r == 0 || (base == 1)) break;
  }
  return Int(r);
}

Result<PyNumber> Binary(std::string_view fn, const PyNumber& a, const PyNumber& b) {
  const int c = Compare(a, b);
  if (fn == "eq") return Bool(c == 0);
  if (fn == "ne") return Bool(c != 0);
  if (fn == "lt") return Bool(c == -1);
  if (fn == "le") return Bool(c == -1 || c == 0);
  if (fn == "gt") return Bool(c == 1);
  if (fn == "ge") return Bool(c == 1 || c == 0);
  const bool ints = a.kind != Kind::kFloat && b.kind != Kind::kFloat;
  const bool bools = a.kind == Kind::kBool && b.kind == Kind::kBool;
  if (fn == "and") return bools ? Bool(a.i & b.i) : ints ? Int(a.i & b.i) : Result<PyNumber>(InvalidArgument("'and' of floats"));
  if (fn == "or") return bools ? Bool(a.i | b.i) : ints ? Int(a.i | b.i) : Result<PyNumber>(InvalidArgument("'or' of floats"));
  if (fn == "xor") return bools ? Bool(a.i ^ b.i) : ints ? Int(a.i ^ b.i) : Result<PyNumber>(InvalidArgument("'xor' of floats"));
  if (fn == "min") return c == 1 ? b : a;
  if (fn == "max") return c == -1 ? b : a;
  const double x = a.AsDouble(), y = b.AsDouble();
  int64_t r = 0;
  if (fn == "add") return ints ? (__builtin_add_overflow(a.i, b.i, &r) ? Result<PyNumber>(Overflow()) : Int(r)) : Float(x + y);
  if (fn == "sub") return ints ? (__builtin_sub_overflow(a.i, b.i, &r) ? Result<PyNumber>(Overflow()) : Int(r)) : Float(x - y);
  if (fn == "mul") return ints ? (__builtin_mul_overflow(a.i, b.i, &r) ? Result<PyNumber>(Overflow()) : Int(r)) : Float(x * y);
  if (fn == "truediv") return y == 0 ? Result<PyNumber>(ZeroDivision()) : Float(x / y);
  if (fn == "floordiv" || fn == "mod") {
    if (y == 0) return ZeroDivision();
    if (!ints) {
      double mod = std::fmod(x, y);
      if (mod != 0 && (mod < 0) != (y < 0)) mod += y;
      return fn == "mod" ? Float(mod) : Float(std::floor((x - mod) / y + 0.5));
    }
    if (b.i == -1) return fn == "mod" ? Int(0) : a.i == INT64_MIN ? Result<PyNumber>(Overflow()) : Int(-a.i);
    const int64_t q = a.i / b.i, m = a.i % b.i;
    const bool adjust = m != 0 && (m < 0) != (b.i < 0);
    return Int(fn == "mod" ? (adjust ? m + b.i : m) : (adjust ? q - 1 : q));
  }
  if (fn == "pow") {
    if (ints && b.i >= 0) return IntPow(a.i, b.i);
    if (ints && a.i == 0) return ZeroDivision();
    return Float(std::pow(x, y));
  }
  if (fn == "lshift" || fn == "rshift") {
    if (!ints || b.i < 0) return InvalidArgument("a shift needs a non-negative integer");
    if (fn == "rshift") return Int(a.i >> std::min<int64_t>(b.i, 63));
    if (b.i > 62) return a.i == 0 ? Int(0) : Result<PyNumber>(Overflow());
    return __builtin_mul_overflow(a.i, int64_t{1} << b.i, &r) ? Result<PyNumber>(Overflow()) : Int(r);
  }
  return Unimplemented(StrCat("SymCompute has no binary function '", fn, "'"));
}

Result<PyNumber> ToInt(double d) {
  if (!(d >= -9.2233720368547758e18 && d < 9.2233720368547758e18)) return Overflow();
  return Int(static_cast<int64_t>(d));
}

Result<PyNumber> Unary(std::string_view fn, const PyNumber& a) {
  const bool is_float = a.kind == Kind::kFloat;
  if (fn == "pos") return is_float ? a : Int(a.i);
  if (fn == "neg") return is_float ? Float(-a.f) : a.i == INT64_MIN ? Result<PyNumber>(Overflow()) : Int(-a.i);
  if (fn == "abs") return is_float ? Float(std::fabs(a.f)) : a.i == INT64_MIN ? Result<PyNumber>(Overflow()) : Int(a.i < 0 ? -a.i : a.i);
  if (fn == "not") return Bool(!Truth(a));
  if (fn == "bool") return Bool(Truth(a));
  if (fn == "float") return Float(a.AsDouble());
  if (fn == "int" || fn == "trunc") return is_float ? ToInt(std::trunc(a.f)) : Int(a.i);
  if (fn == "floor") return is_float ? ToInt(std::floor(a.f)) : Int(a.i);
  if (fn == "ceil") return is_float ? ToInt(std::ceil(a.f)) : Int(a.i);
  if (fn == "round") return is_float ? ToInt(std::nearbyint(a.f)) : Int(a.i);
  if (fn == "sqrt")
    return a.AsDouble() < 0 ? Result<PyNumber>(InvalidArgument("math domain error: square root of a negative number"))
                            : Float(std::sqrt(a.AsDouble()));
  if (fn == "exp") return Float(std::exp(a.AsDouble()));
  if (fn == "log2")
    return a.AsDouble() <= 0 ? Result<PyNumber>(InvalidArgument("math domain error: logarithm")) : Float(std::log2(a.AsDouble()));
  return Unimplemented(StrCat("SymCompute has no unary function '", fn, "'"));
}

// An argument of SymCompute or SymToTensor: a constant or the value of an input.
struct Operand {
  int input = -1;
  PyNumber constant;
};

Result<Operand> ReadOperand(const Attr& a) {
  if (auto* r = a.Get<Attr::InputRef>()) return Operand{r->index, {}};
  if (auto* i = a.Get<int64_t>()) return Operand{-1, Int(*i)};
  if (auto* b = a.Get<bool>()) return Operand{-1, Bool(*b)};
  if (auto* d = a.Get<double>()) return Operand{-1, Float(*d)};
  return InvalidArgument(StrCat(ToString(a), " is no number"));
}

Result<std::vector<Operand>> ReadOperands(const Node& node, std::string_view attr) {
  const Attr a = node.attr(attr);
  const Attr::List* list = a.Get<Attr::List>();
  if (!list) return InvalidArgument(StrCat("'", attr, "' must be a list"));
  std::vector<Operand> out;
  for (const Attr& item : *list) {
    if (auto* inner = item.Get<Attr::List>()) {  // sum([a, b, c])
      for (const Attr& i : *inner) {
        GE_ASSIGN_OR_RETURN(Operand o, ReadOperand(i));
        out.push_back(o);
      }
      continue;
    }
    GE_ASSIGN_OR_RETURN(Operand o, ReadOperand(item));
    out.push_back(o);
  }
  for (const Operand& o : out)
    if (o.input >= node.num_inputs())
      return InvalidArgument(StrCat("'", attr, "' names input ", o.input, ", there are ", node.num_inputs()));
  return out;
}

PyNumber Read(const Operand& o, std::span<Slot* const> inputs) {
  if (o.input < 0) return o.constant;
  const Slot& s = *inputs[static_cast<size_t>(o.input)];
  if (s.dtype == DType::kF64) return Float(s.sym.f);
  if (s.dtype == DType::kBool) return Bool(s.sym.b);
  return Int(s.sym.i);
}

void Write(const PyNumber& n, Slot& s) {
  s.kind = ValueType::Kind::kSym;
  switch (n.kind) {
    case Kind::kInt: s.dtype = DType::kI64, s.sym.i = n.i; break;
    case Kind::kFloat: s.dtype = DType::kF64, s.sym.f = n.f; break;
    case Kind::kBool: s.dtype = DType::kBool, s.sym.b = n.i != 0; break;
  }
}

class SizeOfTensor final : public Executable {
 public:
  explicit SizeOfTensor(int64_t dim) : dim_(dim) {}
  Status Run(KernelContext& k) const override {
    const Slot& s = *k.inputs[0];
    if (!s.sizes) return FailedPrecondition("the tensor has no sizes");
    Write(Int(s.sizes[dim_ < 0 ? dim_ + s.ndim : dim_]), *k.outputs[0]);
    return {};
  }

 private:
  int64_t dim_;
};

class Compute final : public Executable {
 public:
  Compute(std::string fn, std::vector<Operand> args, std::string where)
      : fn_(std::move(fn)), args_(std::move(args)), where_(std::move(where)) {}
  Status Run(KernelContext& k) const override {
    std::vector<PyNumber> args;
    for (const Operand& o : args_) args.push_back(Read(o, k.inputs));
    Result<PyNumber> r = SymCompute(fn_, args);
    if (!r.ok()) return std::move(r).status().Annotate(where_);
    Write(*r, *k.outputs[0]);
    return {};
  }

 private:
  std::string fn_;
  std::vector<Operand> args_;
  std::string where_;
};

class Pack final : public Executable {
 public:
  explicit Pack(std::vector<Operand> values) : values_(std::move(values)) {}
  Status Run(KernelContext& k) const override {
    int64_t* out = static_cast<int64_t*>(k.outputs[0]->data);
    for (const Operand& o : values_) *out++ = Read(o, k.inputs).i;
    return {};
  }

 private:
  std::vector<Operand> values_;
};

class ScalarEngine final : public Engine {
 public:
  std::string_view name() const override { return "host_scalar"; }
  Support Supports(const Node& node) const override {
    return node.op().Has(kHostScalar) ? Support::Yes() : Support::No("no host scalar operator");
  }
  Result<std::unique_ptr<Executable>> Load(const Node& node) const override {
    if (node.Is("SymSize")) return std::unique_ptr<Executable>(std::make_unique<SizeOfTensor>(node.Int("dim")));
    if (node.Is("SymCompute")) {
      GE_ASSIGN_OR_RETURN(std::vector<Operand> args, ReadOperands(node, "args"));
      return std::unique_ptr<Executable>(
          std::make_unique<Compute>(node.Str("fn"), std::move(args), StrCat("in '", node.name(), "' ", node.loc())));
    }
    GE_ASSIGN_OR_RETURN(std::vector<Operand> values, ReadOperands(node, "values"));
    return std::unique_ptr<Executable>(std::make_unique<Pack>(std::move(values)));
  }
};

}  // namespace

Result<PyNumber> SymCompute(std::string_view fn, std::span<const PyNumber> args) {
  if (fn == "ite")
    return args.size() == 3 ? (Truth(args[0]) ? args[1] : args[2]) : Result<PyNumber>(InvalidArgument("ite takes three arguments"));
  if (fn == "sum" || ((fn == "min" || fn == "max" || fn == "and" || fn == "or") && args.size() != 2)) {
    if (args.empty()) return fn == "sum" ? Result<PyNumber>(Int(0)) : InvalidArgument(StrCat(fn, " of nothing"));
    PyNumber r = args[0];
    for (size_t i = 1; i < args.size(); ++i) { GE_ASSIGN_OR_RETURN(r, Binary(fn == "sum" ? "add" : fn, r, args[i])); }
    return r;
  }
  if (args.size() == 1) return Unary(fn, args[0]);
  if (args.size() == 2) return Binary(fn, args[0], args[1]);
  return InvalidArgument(StrCat("SymCompute '", fn, "' with ", args.size(), " arguments"));
}

const Engine& HostScalarEngine() {
  static const ScalarEngine engine;
  return engine;
}

}  // namespace ge
