#pragma once
// OpDef: everything the compiler knows about one operator, as a constant-initialised literal (no static constructor
// runs at load). One operator is defined in one place, host_kernels/<group>/<op>.cc; see docs/adding_an_op.md.
#include <array>
#include <functional>
#include <span>
#include <string_view>

#include "ge_core/ir/attr.h"

namespace ge {

class Node;
struct OpDef;

// What shape inference sees: types, attributes, and the operands that are constants.
struct GE_API InferContext {
  const OpDef& op;
  std::span<const ValueType* const> inputs;  // absent optional inputs are null
  const AttrMap& attrs;
  // The constant behind input i, or null. Shape-like operands (Reshape's shape, ReduceSum's axes) are read here.
  std::function<const Tensor*(int)> const_input;

  const ValueType& input(int i) const { return *inputs[static_cast<size_t>(i)]; }
  bool has_input(int i) const { return static_cast<size_t>(i) < inputs.size() && inputs[static_cast<size_t>(i)]; }
  // The attribute, or the OpDef's default (None if required and missing).
  Attr attr(std::string_view name) const;
  int64_t Int(std::string_view name) const;
  double Float(std::string_view name) const;
  bool Bool(std::string_view name) const;
  std::string Str(std::string_view name) const;
  std::vector<int64_t> Ints(std::string_view name) const;
  // Integers of a constant i64 / i32 operand; nullopt if it is not constant.
  std::optional<std::vector<int64_t>> ConstInts(int i) const;
};

// Output types. Layouts are left at their default. Fails with InvalidArgument where PyTorch would raise, and with
// Unimplemented where the op cannot express the case exactly (the importer then keeps the ATen fallback).
using InferFn = Result<std::vector<ValueType>> (*)(const InferContext&);

enum class AttrKind : uint8_t {
  kBool,
  kInt,
  kFloat,
  kString,
  kType,
  kInts,
  kScalar /* int, float, bool or complex */,
  kTensor,
  kGraph,
  kAny
};

struct AttrDef {
  std::string_view name;
  AttrKind kind = AttrKind::kAny;
  bool required = true;
  int64_t int_default = 0;          // kBool, kInt
  double float_default = 0;         // kFloat
  std::string_view string_default;  // kString; kInts: the same number int_default repeated is not supported: empty list
  bool has_default = false;         // false, of an attribute that is not required: None (kInts: the empty list)
  GE_API Attr Default() const;
};

struct Port {
  std::string_view name;
  TypeSet types;
  bool optional = false;
  bool variadic = false;  // the last input only: zero or more; or the last output: the count is attribute-determined
};

enum Trait : uint32_t {
  kTraitNone = 0,
  kImpure = 1u << 0,         // has effects: kept, ordered, never merged
  kCommutative = 1u << 1,    // inputs 0 and 1 may be swapped, bitwise the same result
  kView = 1u << 2,           // output 0 may alias input 0
  kRandom = 1u << 3,         // draws from the generator: kept, ordered, never merged or folded
  kMutates = 1u << 4,        // writes input 0 (which output 0, if any, aliases)
  kElementwise = 1u << 5,    // output element i depends on input elements i only (after broadcasting)
  kValueFromType = 1u << 6,  // the value follows from input types alone (Shape, Rank, Size)
  kSkeleton = 1u << 7,       // Data, Const and kin, NetOutput
  kControlFlow = 1u << 8,    // runs subgraphs
  kNoFold = 1u << 9,         // never folded
  kHostScalar = 1u << 10,    // host integer / float / bool arithmetic on sym values
  // Reads its tensors of input 0's rank in any dense order of axes at no cost, and gives outputs of that rank the same order.
  kFollowsLayout = 1u << 11,
};

// One row of the ATen mapping, read by the importer (ATen -> this op) and by the ATen engine (this op -> ATen call).
// Form: "aten::add.Tensor(x1, x2, 1)"; grammar in ge_core/ir/aten_mapping.h.
using AtenRow = std::string_view;

struct OpDef {
  std::string_view name, doc;
  std::array<Port, 14> inputs{};
  std::array<Port, 8> outputs{};
  std::array<AttrDef, 14> attrs{};
  std::array<AtenRow, 40> aten{};
  uint8_t num_inputs = 0, num_outputs = 0, num_attrs = 0, num_aten = 0;
  uint32_t traits = 0;
  InferFn infer = nullptr;

  constexpr explicit OpDef(std::string_view n) : name(n) {}
  constexpr OpDef Doc(std::string_view d) const {
    OpDef o = *this;
    o.doc = d;
    return o;
  }
  constexpr OpDef Input(std::string_view n, TypeSet t = kAnyType) const {
    OpDef o = *this;
    o.inputs[o.num_inputs++] = {n, t, false, false};
    return o;
  }
  constexpr OpDef OptionalInput(std::string_view n, TypeSet t = kAnyType) const {
    OpDef o = *this;
    o.inputs[o.num_inputs++] = {n, t, true, false};
    return o;
  }
  constexpr OpDef VariadicInput(std::string_view n, TypeSet t = kAnyType) const {
    OpDef o = *this;
    o.inputs[o.num_inputs++] = {n, t, false, true};
    return o;
  }
  // A list whose entries may be absent (Tensor?[]).
  constexpr OpDef OptionalVariadicInput(std::string_view n, TypeSet t = kAnyType) const {
    OpDef o = *this;
    o.inputs[o.num_inputs++] = {n, t, true, true};
    return o;
  }
  constexpr OpDef Output(std::string_view n, TypeSet t = kAnyType) const {
    OpDef o = *this;
    o.outputs[o.num_outputs++] = {n, t, false, false};
    return o;
  }
  constexpr OpDef VariadicOutput(std::string_view n, TypeSet t = kAnyType) const {
    OpDef o = *this;
    o.outputs[o.num_outputs++] = {n, t, false, true};
    return o;
  }
  constexpr OpDef Required(std::string_view n, AttrKind k) const {
    OpDef o = *this;
    o.attrs[o.num_attrs++] = {n, k, true, 0, 0, {}};
    return o;
  }
  constexpr OpDef Optional(std::string_view n, AttrKind k) const {
    OpDef o = *this;
    o.attrs[o.num_attrs++] = {n, k, false, 0, 0, {}};
    return o;
  }  // default: none (kInts: empty)
  constexpr OpDef Int(std::string_view n, int64_t d) const {
    OpDef o = *this;
    o.attrs[o.num_attrs++] = {n, AttrKind::kInt, false, d, 0, {}, true};
    return o;
  }
  constexpr OpDef Bool(std::string_view n, bool d) const {
    OpDef o = *this;
    o.attrs[o.num_attrs++] = {n, AttrKind::kBool, false, d, 0, {}, true};
    return o;
  }
  constexpr OpDef Float(std::string_view n, double d) const {
    OpDef o = *this;
    o.attrs[o.num_attrs++] = {n, AttrKind::kFloat, false, 0, d, {}, true};
    return o;
  }
  constexpr OpDef String(std::string_view n, std::string_view d) const {
    OpDef o = *this;
    o.attrs[o.num_attrs++] = {n, AttrKind::kString, false, 0, 0, d, true};
    return o;
  }
  constexpr OpDef Traits(uint32_t t) const {
    OpDef o = *this;
    o.traits |= t;
    return o;
  }
  constexpr OpDef Infer(InferFn f) const {
    OpDef o = *this;
    o.infer = f;
    return o;
  }
  constexpr OpDef Aten(AtenRow row) const {
    OpDef o = *this;
    o.aten[o.num_aten++] = row;
    return o;
  }

  bool Has(Trait t) const { return traits & t; }
  GE_API const AttrDef* FindAttr(std::string_view n) const;
  GE_API int FindInput(std::string_view n) const;   // -1 if there is none
  GE_API int FindOutput(std::string_view n) const;  // -1 if there is none
};

// Immutable name -> OpDef table, built once by the composition root and passed by reference.
class GE_API OpTable {
 public:
  explicit OpTable(std::vector<const OpDef*> defs);  // a duplicate name is a GE_CHECK failure
  const OpDef* Find(std::string_view name) const;
  std::span<const OpDef* const> defs() const { return defs_; }  // in the order given

 private:
  std::vector<const OpDef*> defs_, by_name_;
};

}  // namespace ge

// Starts the definition of an operator: GE_DEFINE_OP(Add).Doc(...).Input("x1")...;  Listed in host_kernels/ops.def.
#define GE_DEFINE_OP(Name)               \
  extern const ::ge::OpDef ge_op_##Name; \
  constinit const ::ge::OpDef ge_op_##Name = ::ge::OpDef(#Name)
