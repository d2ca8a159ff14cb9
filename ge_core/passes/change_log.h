#pragma once
// ChangeLog: which pass made, replaced and removed which node. The passes' changes are numbered through a whole compile;
// the number is what bisection bounds.
#include <string>
#include <unordered_map>
#include <vector>

#include "ge_core/ir/graph.h"

namespace ge {

struct GE_API ChangeLog {
  struct Change {                          // one application of a rule, or one run of a graph pass that changed something
    std::string pass, stage, graph, node;  // node: where a rule was applied; empty for a graph pass
    std::string loc;
  };
  std::vector<Change> changes;

  // By "graph/node name": the pass that created the node. Nodes of the importer are not in it.
  std::unordered_map<std::string, std::string> made_by;
  // By "graph/node name", for nodes that are gone: "merged into 'x' by common-subexpression-elimination".
  std::unordered_map<std::string, std::string> gone;

  static std::string Key(std::string_view graph, std::string_view node);
  const std::string* MadeBy(const Node& node) const;
};

// Writes a ChangeLog while it lives. `pass` names the pass that is running now.
class GE_API ChangeRecorder final : public GraphObserver {
 public:
  ChangeRecorder(Module& module, ChangeLog& log);
  ~ChangeRecorder() override;
  void SetPass(std::string_view pass) { pass_ = pass; }
  void OnCreate(Node& node) override;
  void OnErase(Node& node) override;
  void OnReplace(Value& from, Value& to) override;

 private:
  Module& module_;
  ChangeLog& log_;
  std::string pass_;
  std::unordered_map<const Node*, std::string> replaced_;  // until the node is erased; looked up only
};

}  // namespace ge
