#pragma once
// CallFamily: subgraphs that must keep equal parameters because the same nodes run them. The two branches of an If are
// one family, so are condition and body of a While, and whatever else the same subgraphs are passed to.
#include <map>
#include <string>
#include <vector>

#include "ge_core/ir/graph.h"

namespace ge {

// How often nodes of the module name each graph.
GE_API std::map<std::string, int, std::less<>> CountReferences(const Module& module);

struct CallFamily {
  std::vector<Graph*> graphs;  // in module order
  std::vector<Node*> callers;  // in list order of their graphs
  bool known = true;           // false: a caller is an operator whose calls are not understood, or the calls do not fit
  size_t num_parameters() const { return graphs.front()->inputs().size(); }
};

// The families of all subgraphs of `module`, in module order. O(nodes).
GE_API std::vector<CallFamily> CallFamilies(Module& module);

// Operand of `call` that is parameter 0 of its subgraphs.
GE_API int FirstArgument(const Node& call);

// Removes parameters and results of a family: from the subgraphs, in which the parameters must be unused, and from the
// callers, whose removed results must be unused. `parameters` and `results` are in increasing order; the carried values of
// a While are both, and must be removed as both. Callers are made anew: pointers to them die, also those in `family`.
GE_API Status Shrink(CallFamily& family, const std::vector<int>& parameters, const std::vector<int>& results);

}  // namespace ge
