#pragma once
// RandomGraph: valid modules of real operators, made from a seed, and values for their inputs. What a graph may contain:
// element-wise operators with broadcasting, casts, views, copies, slices, pads, reductions, shape arithmetic, constants,
// writes into inputs, control edges, calls and branches; empty tensors, scalars, symbolic extents, several dtypes.
//
// An operator is tried with random operands and kept if Graph::Create accepts it: inference is the judge of what is valid.
#include <algorithm>
#include <optional>
#include <random>
#include <set>

#include "ge_core/base/str.h"
#include "ge_core/eval/evaluate.h"
#include "host_kernels/ops.h"

namespace ge::fuzz {

class RandomGraph {
 public:
  explicit RandomGraph(uint64_t seed, int size = 0) : rng_(seed), module_(std::make_unique<Module>(HostOps())) {
    symbol_ = static_cast<int64_t>(Pick(5));
    size = size ? size : 4 + static_cast<int>(Pick(40));
    Graph* entry = *module_->AddGraph("main");
    Fill(*entry, size, 1 + static_cast<int>(Pick(4)), true);
  }

  Module& module() { return *module_; }

  // One tensor an input. Small integers and the values where bits matter: 0, -0.0, NaN, infinities, the ends of a type.
  std::vector<Tensor> Inputs() {
    std::vector<Tensor> out;
    for (const Node* n : module_->entry().inputs()) out.push_back(RandomTensor(Concrete(n->output()->type())));
    return out;
  }

 private:
  struct Pool {
    Graph& graph;
    std::vector<Value*> values;
    std::vector<Node*> effects;
    bool entry;
  };

  size_t Pick(size_t n) { return static_cast<size_t>(rng_() % n); }
  bool Chance(int percent) { return Pick(100) < static_cast<size_t>(percent); }
  int64_t SmallInt(int64_t lo, int64_t hi) { return lo + static_cast<int64_t>(Pick(static_cast<size_t>(hi - lo + 1))); }
  Value* Any(Pool& p) {
    return p.values[p.values.size() - 1 - std::min(Pick(p.values.size()), Pick(p.values.size()))];
  }  // rather late ones

  DType RandomDType() {
    constexpr DType kTypes[] = {DType::kF32, DType::kF32, DType::kF32,  DType::kF64, DType::kF16,
                                DType::kI64, DType::kI32, DType::kBool, DType::kU8};
    return kTypes[Pick(std::size(kTypes))];
  }
  Shape RandomShape(bool symbolic) {
    Shape s;
    for (size_t r = Pick(4); r-- > 0;) s.push_back(symbolic && Chance(15) ? Dim::Symbol("s0") : Dim(Chance(6) ? 0 : SmallInt(1, 3)));
    return s;
  }
  ValueType Concrete(const ValueType& t) const {
    Shape s;
    for (const Dim& d : t.shape()) s.push_back(*d.Evaluate([&](std::string_view) -> std::optional<int64_t> { return symbol_; }));
    return ValueType::Tensor(t.dtype(), s);
  }

  Tensor RandomTensor(const ValueType& type) {
    Tensor t(type);
    const auto n = static_cast<size_t>(t.num_elements());
    for (size_t i = 0; i < n; ++i) {
      const int64_t v = Chance(10) ? (Chance(50) ? INT64_MIN : INT64_MAX) : SmallInt(-3, 3);
      constexpr double kSpecial[] = {0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.25, 1e-3};
      double f = kSpecial[Pick(std::size(kSpecial))];
      if (Chance(4)) f = std::numeric_limits<double>::quiet_NaN();
      if (Chance(4)) f = Chance(50) ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity();
      switch (type.dtype()) {
        case DType::kF32: t.mutable_data<float>()[i] = static_cast<float>(f); break;
        case DType::kF64: t.mutable_data<double>()[i] = f; break;
        case DType::kF16: {
          constexpr uint16_t kHalves[] = {0, 0x8000, 0x3c00, 0xbc00, 0x3800, 0x7e00, 0x7c00, 0xfc00, 0x0001, 0x7bff};
          t.mutable_data<uint16_t>()[i] = kHalves[Pick(std::size(kHalves))];
          break;
        }
        case DType::kI64: t.mutable_data<int64_t>()[i] = v; break;
        case DType::kI32: t.mutable_data<int32_t>()[i] = static_cast<int32_t>(v); break;
        case DType::kU8: t.mutable_data<uint8_t>()[i] = static_cast<uint8_t>(v); break;
        case DType::kBool: t.mutable_data<bool>()[i] = v & 1; break;
        default: break;
      }
    }
    return t;
  }

  std::optional<int64_t> Extent(const Dim& d) const { return d.IsConst() ? std::optional(d.value()) : std::nullopt; }
  Value* Ints(Pool& p, std::vector<int64_t> v) { return p.graph.CreateConst(Tensor::Ints(v))->output(); }

  void Try(Pool& p, std::string_view op, std::vector<Value*> inputs, AttrMap attrs = {}) {
    if (Chance(3)) attrs.Set("_do_not_constant_folding", true);
    std::vector<Node*> after;
    if (!p.effects.empty() && Chance(10)) after.push_back(p.effects[Pick(p.effects.size())]);
    Result<Node*> node = p.graph.Create(
        {.op = op, .inputs = std::move(inputs), .attrs = std::move(attrs), .name = {}, .loc = {}, .types = {}, .after = after});
    if (!node.ok()) return;
    for (int o = 0; o < (*node)->num_outputs(); ++o) {
      const ValueType& t = (*node)->output(o)->type();
      // Types that inference leaves open, or makes very large, would end the fun early.
      bool fine = t.IsTensor() && t.rank() <= 5;
      int64_t elements = 1;
      for (const Dim& d : t.shape()) fine = fine && !d.IsUnknown() && (!d.IsConst() || (elements *= d.value()) <= 4096);
      if (fine) p.values.push_back((*node)->output(o));
    }
  }

  std::vector<int64_t> Permutation(int64_t rank) {
    std::vector<int64_t> perm(static_cast<size_t>(rank));
    for (size_t i = 0; i < perm.size(); ++i) perm[i] = static_cast<int64_t>(i);
    if (Chance(75)) std::shuffle(perm.begin(), perm.end(), rng_);
    return perm;
  }

  void Step(Pool& p) {
    constexpr std::string_view kBinary[] = {"Add",     "Sub",   "Mul",        "RealDiv",    "Maximum", "Minimum",
                                            "Greater", "Equal", "LogicalAnd", "BitwiseXor", "Pow"};
    constexpr std::string_view kUnary[] = {"Neg", "Abs", "Relu", "Square", "Sigmoid", "Sign", "Floor", "LogicalNot", "IsNan", "Invert"};
    Value* x = Any(p);
    const ValueType type = x->type();
    const int64_t rank = type.rank();
    switch (Pick(30)) {
      case 0:
      case 1:
      case 2:
      case 3: Try(p, kBinary[Pick(std::size(kBinary))], {x, Any(p)}); break;
      case 4:
      case 5:
      case 6: Try(p, kUnary[Pick(std::size(kUnary))], {x}); break;
      case 7: p.values.push_back(p.graph.CreateConst(RandomTensor(ValueType::Tensor(RandomDType(), RandomShape(false))))->output()); break;
      case 8: Try(p, "Cast", {x}, {{"dst_type", Chance(30) ? type.dtype() : RandomDType()}}); break;
      case 9:
      case 10: Try(p, "Transpose", {x, Ints(p, Permutation(rank))}); break;
      case 11:
      case 12: {
        std::vector<int64_t> shape;
        if (!type.IsStatic()) break;
        int64_t left = type.StaticNumElements();
        if (Chance(30)) {
          for (const Dim& d : type.shape()) shape.push_back(d.value());
        } else if (left == 0) {
          shape = {0, SmallInt(1, 3)};
        } else {
          for (int64_t f : {2, 3})
            if (left % f == 0 && Chance(70)) shape.push_back(f), left /= f;
          if (Chance(30)) shape.push_back(1);
          shape.push_back(Chance(20) ? -1 : left);
        }
        Try(p, "Reshape", {x, Ints(p, shape)});
        break;
      }
      case 13: Try(p, Chance(50) ? "Identity" : "TensorMove", {x}); break;
      case 14: Try(p, "ExpandDims", {x, Ints(p, {SmallInt(-rank - 1, rank)})}); break;
      case 15: Try(p, "Squeeze", {x}); break;
      case 16: Try(p, "SqueezeV3", {x, Ints(p, {SmallInt(-std::max<int64_t>(rank, 1), std::max<int64_t>(rank - 1, 0))})}); break;
      case 17: {
        std::vector<int64_t> shape;
        if (Chance(50)) shape.push_back(SmallInt(1, 2));
        for (const Dim& d : type.shape()) shape.push_back(d.Is(1) ? SmallInt(1, 3) : Extent(d).value_or(-1));
        Try(p, "BroadcastTo", {x, Ints(p, shape)});
        break;
      }
      case 18: {
        if (!type.IsStatic() || rank == 0) break;
        std::vector<int64_t> begin, size;
        const bool whole = Chance(30);
        for (const Dim& d : type.shape()) {
          begin.push_back(whole ? 0 : SmallInt(0, std::max<int64_t>(d.value() - 1, 0)));
          size.push_back(whole ? d.value() : SmallInt(0, d.value() - std::min(begin.back(), d.value())));
        }
        Try(p, "Slice", {x, Ints(p, begin), Ints(p, size)});
        break;
      }
      case 19: {
        if (rank == 0) break;
        Try(p, "StridedSliceV2",
            {x, Ints(p, {Chance(40) ? 0 : SmallInt(-2, 2)}), Ints(p, {Chance(40) ? INT64_MAX : SmallInt(-1, 3)}),
             Ints(p, {SmallInt(0, rank - 1)}), Ints(p, {SmallInt(1, 2)})});
        break;
      }
      case 20: {
        std::vector<int64_t> pads(2 * static_cast<size_t>(rank ? 1 + Pick(static_cast<size_t>(rank)) : 0));
        if (Chance(60))
          for (int64_t& v : pads) v = SmallInt(0, 1);
        Try(p, "PadV3", {x, Ints(p, pads)}, {{"value", 1.0}});
        break;
      }
      case 21:
        Try(p, "ConcatV2", Chance(30) ? std::vector<Value*>{x} : std::vector<Value*>{x, Any(p)},
            {{"concat_dim", SmallInt(0, std::max<int64_t>(rank - 1, 0))}});
        break;
      case 22:
        Try(p, Chance(50) ? "ReduceSum" : "ReduceMax", {x, Ints(p, {SmallInt(0, std::max<int64_t>(rank - 1, 0))})},
            {{"keep_dims", Chance(50)}});
        break;
      case 23: Try(p, "SelectV2", {Any(p), x, Any(p)}); break;
      case 24: Try(p, Chance(60) ? "Shape" : Chance(50) ? "Size" : "Rank", {x}, {{"dtype", Chance(50) ? 9 : 3}}); break;
      case 25: {
        Value* axis = Ints(p, {0});
        Try(p, "GatherV2", {x, Ints(p, {0}), axis});
        break;
      }
      case 26: {  // a write into an input; later readers use the new value
        if (!p.entry || Chance(60)) break;
        Node* data = p.graph.inputs()[Pick(p.graph.inputs().size())];
        if (written_.contains(data)) break;
        for (Value* v : p.values)
          if (v != data->output() && v->type() == data->output()->type() && Chance(60)) {
            std::vector<Node*> readers;
            for (const Use& use : data->output()->uses()) readers.push_back(use.user);
            Result<Node*> write = p.graph.Create(
                {.op = "Assign", .inputs = {data->output(), v}, .attrs = {}, .name = {}, .loc = {}, .types = {}, .after = {}});
            if (!write.ok()) break;
            for (Node* r : readers) (void)p.graph.AddControlEdge(r, *write).ok();
            written_.insert(data);
            p.effects.push_back(*write);
            std::erase_if(p.values, [&](Value* old) { return MayRead(*old, data->output()); });
            p.values.push_back((*write)->output());
            break;
          }
        break;
      }
      case 27:
      case 28: {
        if (!p.entry || depth_ > 0) break;
        Call(p);
        break;
      }
      default: {
        std::vector<const OpDef*> candidates;
        for (const OpDef* op : HostOps().defs())
          if (op->Has(kElementwise) && HostKernels().Find(op->name)) candidates.push_back(op);
        const OpDef& op = *candidates[Pick(candidates.size())];
        std::vector<Value*> in = {x};
        for (int i = 1; i < op.num_inputs; ++i) in.push_back(op.inputs[static_cast<size_t>(i)].optional && Chance(50) ? nullptr : Any(p));
        AttrMap attrs;
        for (int i = 0; i < op.num_attrs; ++i) {
          const AttrDef& a = op.attrs[static_cast<size_t>(i)];
          if (!a.required) continue;
          if (a.kind == AttrKind::kType) attrs.Set(a.name, RandomDType());
          if (a.kind == AttrKind::kFloat || a.kind == AttrKind::kScalar) attrs.Set(a.name, 0.5 * static_cast<double>(SmallInt(-3, 3)));
          if (a.kind == AttrKind::kInt) attrs.Set(a.name, SmallInt(0, 2));
          if (a.kind == AttrKind::kBool) attrs.Set(a.name, Chance(50));
        }
        Try(p, op.name, std::move(in), std::move(attrs));
      }
    }
  }

  // The memory of `v` may be that of `data`.
  static bool MayRead(const Value& v, const Value* data) {
    if (&v == data) return true;
    const Node& n = *v.producer();
    if (!n.may_alias_inputs()) return false;
    for (const Value* in : n.inputs())
      if (in && MayRead(*in, data)) return true;
    return false;
  }

  // A subgraph with the parameter types `args`, whose results have the types `results` (any where empty).
  Graph* Subgraph(const std::vector<Value*>& args, std::vector<ValueType>& results) {
    Graph* g = *module_->AddGraph(StrCat("sub", module_->graphs().size()));
    ++depth_;
    Pool p{*g, {}, {}, false};
    for (Value* a : args) p.values.push_back(g->AddInput(a->type())->output());
    for (int i = 0; i < 5; ++i) Step(p);
    --depth_;
    std::vector<Value*> outputs;
    if (results.empty()) {
      for (size_t i = 1 + Pick(2); i-- > 0;) outputs.push_back(Any(p));
      for (Value* v : outputs) results.push_back(v->type());
    } else {
      for (const ValueType& want : results) {
        std::vector<Value*> fit;
        for (Value* v : p.values)
          if (SameLogicalType(v->type(), want)) fit.push_back(v);
        if (fit.empty()) {
          module_->RemoveGraph(g);
          return nullptr;
        }
        outputs.push_back(fit[Pick(fit.size())]);
      }
    }
    g->SetOutputs(outputs);
    return g;
  }

  void Call(Pool& p) {
    std::vector<Value*> args;
    for (size_t i = 1 + Pick(3); i-- > 0;) args.push_back(Any(p));
    std::vector<ValueType> results;
    Graph* first = Subgraph(args, results);
    if (!first) return;
    AttrMap attrs{{"pure", true}};
    std::string_view op = "PartitionedCall";
    std::vector<Value*> inputs = args;
    if (Chance(60)) {
      op = "If";
      Graph* second = Subgraph(args, results);
      if (!second) {
        module_->RemoveGraph(first);
        return;
      }
      Value* cond = nullptr;
      for (Value* v : p.values)
        if (v->type().IsTensor() && v->type().dtype() == DType::kBool && v->type().rank() == 0 && Chance(70)) cond = v;
      if (!cond) {
        const bool b[] = {Chance(50)};
        Tensor t(ValueType::Tensor(DType::kBool, {}));
        *t.mutable_data<bool>() = b[0];
        cond = p.graph.CreateConst(t)->output();
      }
      inputs.insert(inputs.begin(), cond);
      attrs.Set("then_branch", Attr::GraphRef{first->name()});
      attrs.Set("else_branch", Attr::GraphRef{second->name()});
    } else {
      attrs.Set("f", Attr::GraphRef{first->name()});
    }
    Result<Node*> node = p.graph.Create({.op = op, .inputs = inputs, .attrs = attrs, .name = {}, .loc = {}, .types = results, .after = {}});
    GE_CHECK(node.ok(), "a call of a fitting subgraph");
    for (int o = 0; o < (*node)->num_outputs(); ++o) p.values.push_back((*node)->output(o));
  }

  void Fill(Graph& g, int size, int inputs, bool entry) {
    Pool p{g, {}, {}, entry};
    for (int i = 0; i < inputs; ++i) p.values.push_back(g.AddInput(ValueType::Tensor(RandomDType(), RandomShape(true)))->output());
    for (int i = 0; i < size; ++i) Step(p);
    std::vector<Value*> results;
    for (size_t i = 1 + Pick(5); i-- > 0;) results.push_back(Any(p));
    g.SetOutputs(results);
  }

  std::mt19937_64 rng_;
  std::unique_ptr<Module> module_;
  int64_t symbol_ = 0;
  int depth_ = 0;
  std::set<const Node*> written_;  // membership only
};

}  // namespace ge::fuzz
