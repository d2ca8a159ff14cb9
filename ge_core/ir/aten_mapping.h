#pragma once
// The ATen mapping of an OpDef as data, read in both directions: the importer turns an ATen call into the op, the ATen
// engine turns the op back into the call. This header knows no libtorch.
//
//   row   := name "(" [ item { "," item } ] ")" [ "->" out { "," out } ] [ "if" cond { "," cond } ]
//   name  := "aten::add.Tensor"                    overload name as OpOverload.name() prints it
//   item  := port            a tensor operand, named as an input port; absent optional port <-> None; variadic <-> Tensor[] / Tensor?[]
//          | port "^T"       the operand's transposed view (last two axes): such a row only executes, it is never imported
//          | "#" port        an integer list held by a constant or host i64 operand (int[] / SymInt[] argument)
//          | "#" port ".0"   a single integer held by a one-element i64 operand (int / SymInt argument)
//          | "@" attr        an attribute; None <-> attribute absent (an Optional one)
//          | literal         none true false, a number, "string", [], [0, 1]: the argument must equal it
//   out   := port | "_"      result i of the call is this output port; "_" is dropped (import requires it unused)
//   cond  := attr "=" literal  the row stands for this attribute value: import sets it, execution requires it
// Items follow the schema's argument order, keyword-only arguments included; trailing arguments that are left out must
// have their schema default. Rows are tried in order; the first whose literals, ports and attributes fit is taken, both ways:
//   ATen -> op: also the op's dtype sets and inference must accept it; Unimplemented moves on to the next row (Conv2D, Conv3D
//               and the pools share an overload and tell each other apart by rank). An opaque output type is a None result.
//   op -> ATen: the row must name every operand that is present and every attribute that differs from its default.
#include <map>
#include <span>

#include "ge_core/ir/op_def.h"

namespace ge {

struct AtenItem {
  enum class Kind : uint8_t { kPort, kIntsPort, kIntPort, kAttr, kLiteral };
  Kind kind = Kind::kLiteral;
  int port = -1;            // kPort, kIntsPort, kIntPort
  bool transposed = false;  // kPort: "^T"
  std::string_view attr;    // kAttr
  Attr literal;             // kLiteral
};

struct AtenMapping {
  const OpDef* op = nullptr;
  std::string_view overload;
  std::vector<AtenItem> items;
  std::vector<int> results;                                   // output port per result, -1 = dropped; empty: identity
  std::vector<std::pair<std::string_view, Attr>> conditions;  // attribute = literal
  bool execute_only = false;                                  // some operand is transposed
};

// Parses a row. Fails with the row and column on a syntax error or an unknown port / attribute.
GE_API Result<AtenMapping> ParseAtenRow(const OpDef& op, AtenRow row);

// All rows of a table, by overload name, in the order of ops.def.
class GE_API AtenMappings {
 public:
  static Result<AtenMappings> Build(const OpTable& ops);
  std::span<const AtenMapping* const> ForOverload(std::string_view overload) const;
  std::span<const AtenMapping* const> ForOp(std::string_view op) const;

 private:
  std::vector<std::unique_ptr<AtenMapping>> rows_;
  std::map<std::string_view, std::vector<const AtenMapping*>, std::less<>> by_overload_, by_op_;
};

}  // namespace ge
