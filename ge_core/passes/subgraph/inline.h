#pragma once
// Inlining: the nodes of a subgraph in the place of the node that runs it.
#include <string>

#include "ge_core/ir/graph.h"

namespace ge {

// The graph that attribute `attr` of `node` names; null if there is none.
GE_API Graph* Callee(const Node& node, std::string_view attr);

// Why the nodes of `callee` cannot stand in the place of `call`, whose operands from `first_argument` on are the
// parameters of `callee` and whose results are its results. Empty if they can.
//
// Checked are: parameters and results fit; nothing is written in place; every size that `callee` names has a value in the
// graph of `call`; and inference accepts every node on the arguments, which tell more than the parameters did.
GE_API std::string WhyNotInline(const Node& call, const Graph& callee, int first_argument);

// Copies the nodes of `callee` before `call`, points the users of its results at the copies, ties the copies to the nodes
// that `call` waited for and that waited for it, and erases `call`. `callee` stays as it is: other nodes may run it. Call
// only where WhyNotInline has nothing to say.
GE_API Status Inline(Node& call, const Graph& callee, int first_argument);

// Points the users of `from` at `to`, the same value, which comes before `before`. Types are refined by each other; where
// two results of the graph would become one object, or a result an input or a constant, a view of `to` stands between.
GE_API Status PassOn(Value& from, Value& to, Node& before);

}  // namespace ge
