#pragma once
// AliasInfo: which values of a graph leave it or may be written. Passes that put one value in the place of two ask it,
// so that two results that eager keeps apart in memory stay apart. Observes its graph: right after every change, at worst
// too careful (a flag is never taken back).
#include <vector>

#include "ge_core/ir/graph.h"

namespace ge {

class GE_API AliasInfo final : public GraphObserver {
 public:
  // One backward sweep over `graph`: O(nodes + edges). Registers with the module until it dies.
  explicit AliasInfo(Graph& graph);
  ~AliasInfo() override;
  AliasInfo(const AliasInfo&) = delete;
  AliasInfo& operator=(const AliasInfo&) = delete;

  const Graph& graph() const { return graph_; }
  // The value, or something that may share its memory, is returned by the graph.
  bool Escapes(const Value* value) const { return Has(value, kEscapes); }
  // The value, or something that may share its memory, may be written by a node.
  bool MayBeWritten(const Value* value) const { return Has(value, kWritten); }
  // The value's own memory may be that of an input or of a constant of the graph, or belong to an object we cannot see into.
  bool MayBeBorrowed(const Value* value) const;

  // Some output of `node` may share memory with its input i.
  static bool MayAliasInput(const Node& node, int i);
  // `node` may write into the memory of its input i.
  static bool MayWriteInput(const Node& node, int i);

  void OnCreate(Node& node) override;
  void OnReplace(Value& from, Value& to) override;
  void OnInput(Node& node, int index, Value* before) override;

 private:
  enum : uint8_t { kEscapes = 1, kWritten = 2 };
  uint8_t Flags(const Value* value) const {
    const auto id = static_cast<size_t>(value->id());
    return id < flags_.size() ? flags_[id] : 0;
  }
  // The flag of the value, or of something that it may be a view of: whose flags are those of all its views.
  bool Has(const Value* value, uint8_t flag) const;
  // What `node` alone says of its input i, given the flags of its outputs.
  uint8_t Contribution(const Node& node, int i) const;
  void Add(const Value* value, uint8_t flags);  // and to everything whose memory it may share

  Graph& graph_;
  Module& module_;              // outlives the graph
  std::vector<uint8_t> flags_;  // by Value::id()
};

}  // namespace ge
