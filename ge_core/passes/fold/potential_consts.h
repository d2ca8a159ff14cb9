#pragma once
// PotentialConsts: nodes whose results are known although they are not constants (yet). Seed 000 section 4.4.
//
// The mark-only passes of the Prepare stage write it; shape inference and the passes after them read values through it as
// if they were constants; PotentialConstTakenEffectPass turns marks into constants when the work list is empty. A mark
// belongs to the pass that made it: only that pass updates or clears it.
//
// The table is the only form in which passes see marks. Files and dumps carry them as the documented attributes:
// _is_potential_const, _potential_weight, _potential_weight_indices, _source_pass_of_potential_const.
#include <map>
#include <string>
#include <vector>

#include "ge_core/ir/graph.h"

namespace ge {

class GE_API PotentialConsts {
 public:
  struct Mark {
    std::string owner;           // name of the pass
    std::vector<int> outputs;    // which results are known
    std::vector<Tensor> values;  // one per entry of `outputs`; shorter where the value got lost
  };

  const Mark* Find(const Node& node) const;
  // The known value of `v`: a constant's, or a mark's; null if there is none. `real_only`: marks do not count.
  const Tensor* Value(const ge::Value* v) const;
  // Sets or renews the mark. False, and nothing happens, where the same mark is there already or another pass owns it.
  bool Set(const Node& node, Mark mark);
  // The mark of pass `owner` that all results of `node` are known.
  bool SetAll(const Node& node, std::string_view owner, std::vector<Tensor> values);
  // Clears a mark of `owner`; false if there is none.
  bool Clear(const Node& node, std::string_view owner);
  void Erase(const Node& node);
  // Nodes of `graph` that carry a mark, in list order.
  std::vector<Node*> Marked(Graph& graph) const;
  size_t size() const { return marks_.size(); }

  // From the documented attributes of a graph that was read from a file, which are then removed.
  void TakeFromAttributes(Graph& graph);
  // As the documented attributes, for dumps.
  void WriteAsAttributes(Graph& graph) const;

 private:
  using Key = std::pair<std::string, int>;  // graph name, Node::id(): ids are never given again
  std::map<Key, Mark> marks_;
};

}  // namespace ge
