#pragma once
// AliasInfo: which values of a graph leave it or may be written. Passes that put one value in the place of two ask it,
// so that two results that eager keeps apart in memory stay apart.
#include <unordered_map>

#include "ge_core/ir/graph.h"

namespace ge {

class GE_API AliasInfo {
 public:
  // One backward sweep over `graph`: O(nodes + edges).
  explicit AliasInfo(const Graph& graph);

  // The value, or something that may share its memory, is returned by the graph.
  bool Escapes(const Value* value) const { return Flags(value) & kEscapes; }
  // The value, or something that may share its memory, may be written by a node.
  bool MayBeWritten(const Value* value) const { return Flags(value) & kWritten; }
  // `into` took over the uses of `from`.
  void Merge(const Value* from, const Value* into) { flags_[into] |= Flags(from); }
  // `to`, a new value, stands in for `from`, which is about to be erased.
  void Replace(const Value* from, const Value* to) {
    flags_[to] = Flags(from);
    flags_.erase(from);
  }

  // Some output of `node` may share memory with its input i.
  static bool MayAliasInput(const Node& node, int i);
  // `node` may write into the memory of its input i.
  static bool MayWriteInput(const Node& node, int i);

 private:
  enum : uint8_t { kEscapes = 1, kWritten = 2 };
  uint8_t Flags(const Value* value) const {
    auto it = flags_.find(value);
    return it == flags_.end() ? 0 : it->second;
  }
  std::unordered_map<const Value*, uint8_t> flags_;  // looked up only, never iterated
};

}  // namespace ge
