#include "ge_core/passes/fingerprint.h"

#include <unordered_map>

namespace ge {
namespace {

struct Hasher {
  uint64_t h = 0xcbf29ce484222325ull;
  void Add(uint64_t v) { h = (h ^ v) * 0x9e3779b97f4a7c15ull + (h >> 29); }
  void Add(std::string_view s) { Add(std::hash<std::string_view>()(s)); }
};

void AddGraph(const Graph& graph, Hasher& out) {
  out.Add(graph.name());
  std::unordered_map<const Node*, uint64_t> number;  // looked up only
  number.reserve(graph.size());
  for (const Node* n : graph.nodes()) {
    number.emplace(n, number.size() + 1);
    out.Add(n->op().name);
    for (const Value* in : n->inputs()) {
      out.Add(in ? number[in->producer()] : 0);
      out.Add(in ? static_cast<uint64_t>(in->index()) : 0);
    }
    for (const auto& [name, attr] : n->attrs()) {
      out.Add(name);
      out.Add(attr.Hash());
    }
    for (int o = 0; o < n->num_outputs(); ++o) {
      const ValueType& t = n->output(o)->type();
      out.Add(ToString(t));
      out.Add(static_cast<uint64_t>(t.placement));
    }
    uint64_t control = 0;  // a set: the order in which edges were added does not count
    for (const Node* c : n->control_inputs()) control += number[c] * 0x2545f4914f6cdd1dull;
    out.Add(control);
  }
}

}  // namespace

uint64_t Fingerprint(const Module& module) {
  Hasher out;
  for (const auto& graph : module.graphs()) AddGraph(*graph, out);
  return out.h;
}

}  // namespace ge
