#pragma once
// ValueOrigins: which values of the module before the passes a value of the optimised module stands for. With it a run of the
// optimised module can be compared with one of the original, value by value.
#include <string>
#include <unordered_map>
#include <vector>

#include "ge_core/ir/graph.h"

namespace ge {

struct GE_API ValueOrigins {
  struct Origin {
    std::string graph, node;  // names in the original module
    int index = 0;            // among the node's outputs
    std::string pass;         // that put the value in the original's place; empty: it is the original
  };
  // Values of the module as it is now. One without an entry stands for nothing: it is an intermediate result of a rewrite.
  std::unordered_map<const Value*, std::vector<Origin>> of;
  // What values of erased nodes stood for, by Key(). A fused region keeps the names of the nodes it was made from.
  std::unordered_map<std::string, std::vector<Origin>> erased;
  // Nodes whose operands or attributes a pass changed in place: what they compute need not be what they computed before.
  std::unordered_map<const Node*, std::string> changed_by;

  static std::string Key(std::string_view graph, std::string_view node, int index);
};

// Writes ValueOrigins while it lives. Every value that exists at the beginning is its own origin.
//
// `from` replaced by `to`: readers of `from` take `to` instead, so `to` stands for all that `from` stood for. What `to` stood
// for before holds on, unless its node was changed in place: a fold of a scale into a convolution first changes the
// convolution, and then lets it stand for the scaled result.
class GE_API OriginRecorder final : public GraphObserver {
 public:
  OriginRecorder(Module& module, ValueOrigins& origins);
  ~OriginRecorder() override;
  void SetPass(std::string_view pass) { pass_ = pass; }
  void OnErase(Node& node) override;
  void OnReplace(Value& from, Value& to) override;
  void OnInput(Node& node, int index, Value* before) override;
  void OnAttr(Node& node) override;

 private:
  void Changed(Node& node);
  Module& module_;
  ValueOrigins& origins_;
  std::string pass_;
};

}  // namespace ge
