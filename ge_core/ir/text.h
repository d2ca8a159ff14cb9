#pragma once
// The IR's text form: docs/text_ir.md. Parse(Print(x)) is x; Print(Parse(t)) is t with values renumbered.
#include <memory>
#include <string>
#include <string_view>

#include "ge_core/ir/graph.h"

namespace ge {

struct PrintOptions {
  // Constants with more elements print as dense<sha256:...>, unless all elements are equal. Negative: never elide.
  int64_t elide_over = 32;
  bool locs = true;
  static PrintOptions Full() { return {.elide_over = -1}; }
};

GE_API std::string Print(const Module& module, const PrintOptions& options = {});
GE_API std::string Print(const Graph& graph, const PrintOptions& options = {});

struct ParseOptions {
  // Bound on the constants of one module, so that "Const 0 : f32[99999999999]" cannot exhaust memory.
  int64_t max_constant_bytes = int64_t{1} << 30;
};

// Errors read "line:column: what". Any text is safe to parse.
GE_API Result<std::unique_ptr<Module>> ParseModule(std::string_view text, const OpTable& ops, const ParseOptions& options = {});
GE_API Result<ValueType> ParseType(std::string_view text);
GE_API Result<Attr> ParseAttr(std::string_view text, const ParseOptions& options = {});

// Attribute text that ParseAttr reads back, tensors in full (ToString abbreviates them).
GE_API std::string PrintAttr(const Attr& attr);

// The same computation: graphs, node order, operators, attributes, types and edges agree. Names of nodes, names of
// graphs and source lines do not count.
GE_API bool Equal(const Module& a, const Module& b);

}  // namespace ge
