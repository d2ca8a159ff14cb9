#pragma once
// NodePassDriver: runs a group of node passes over one graph from one work list, to the fixed point.
//
// Every node is visited in list order, and at each the rules are tried in order. What a change touches comes back on the
// list: new nodes, users of replaced values, producers that lost a reader, nodes whose operands, attributes, types or
// control edges changed. A graph without work costs one sweep; a chain that folds costs one visit a node.
#include <functional>
#include <map>

#include "ge_core/passes/pass.h"
#include "ge_core/passes/rewriter.h"

namespace ge {

// What one rule did in one run.
struct NodePassStats {
  int64_t changes = 0;
  int64_t node_delta = 0;  // nodes made less nodes erased
  double seconds = 0;
};

struct NodePassLimits {
  int max_visits = 32;  // of one node: a rule that undoes another's work is stopped, and noted
  double max_seconds = 60;
  int64_t max_changes = -1;  // stop after so many changes; -1: none
  bool check_changed_flag = false;
  std::function<Status()> after_change;                                         // may be empty; an error fails the run and names the rule
  std::function<void(std::string_view pass)> before_pass;                       // may be empty: a rule is about to look at a node
  std::function<void(size_t pass, std::string node, std::string loc)> changed;  // may be empty; told of every change
};

class GE_API NodePassDriver {
 public:
  // `passes` are borrowed.
  explicit NodePassDriver(std::vector<NodePass*> passes);
  ~NodePassDriver();

  struct Outcome {
    bool changed = false;
    std::vector<std::string> notes;  // caps that were hit
  };
  Result<Outcome> Run(Graph& graph, const NodePassLimits& limits);
  // On a rewriter that exists already: its alias table, and that of the next run, need not be made anew.
  Result<Outcome> Run(Rewriter& rewriter, const NodePassLimits& limits);
  // By position in `passes`, summed over all runs.
  const std::vector<NodePassStats>& stats() const { return stats_; }

 private:
  class WorkList;
  std::vector<NodePass*> passes_;
  std::vector<NodePassStats> stats_;
  std::map<const OpDef*, std::vector<size_t>> by_op_;  // looked up only
  const std::vector<size_t>& RulesFor(const Node& node);
  // Some rule has a node to be tried at.
  bool HasAnchors(const Graph& graph) const;
};

}  // namespace ge
