// The tables that Graph keeps beside the node list: names, counts, control edges.
#include "ge_core/ir/graph.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "host_kernels/ops.h"

namespace ge {
namespace {

struct Fixture : ::testing::Test {
  Module module{HostOps()};
  Graph& graph = **module.AddGraph("g");
  Node* x = graph.AddInput(ValueType::Tensor(DType::kF32, {2}), "x");

  Node* Unary(std::string_view op, std::string name = {}) {
    Result<Node*> node =
        graph.Create({.op = op, .inputs = {x->output()}, .attrs = {}, .name = std::move(name), .loc = {}, .types = {}, .after = {}});
    EXPECT_TRUE(node.ok()) << node.message();
    return *node;
  }
};
using GraphTables = Fixture;

TEST_F(GraphTables, CountsFollowCreationAndErasure) {
  EXPECT_EQ(graph.CountOf("Data"), 1u);
  EXPECT_EQ(graph.CountOf("Relu"), 0u);
  EXPECT_EQ(graph.CountOf("no such operator"), 0u);
  Node* a = Unary("Relu");
  Unary("Neg");
  EXPECT_EQ(graph.CountOf("Relu"), 1u);
  graph.MoveBefore(a, nullptr);
  EXPECT_EQ(graph.CountOf("Relu"), 1u);
  ASSERT_TRUE(graph.Erase(a).ok());
  EXPECT_EQ(graph.CountOf("Relu"), 0u);
  EXPECT_EQ(graph.CountOf("Neg"), 1u);
  ASSERT_FALSE(graph.EraseInput(0).ok());  // still read
}

TEST_F(GraphTables, ControlEdgesAreCountedOnce) {
  Node *a = Unary("Relu"), *b = Unary("Neg"), *c = Unary("Abs");
  ASSERT_TRUE(graph.AddControlEdge(a, b).ok());
  ASSERT_TRUE(graph.AddControlEdge(a, b).ok());  // there already
  ASSERT_TRUE(graph.AddControlEdge(b, c).ok());
  EXPECT_EQ(graph.num_control_edges(), 2u);
  graph.RemoveControlEdge(a, c);  // was never there
  EXPECT_EQ(graph.num_control_edges(), 2u);
  graph.RemoveControlEdge(a, b);
  EXPECT_EQ(graph.num_control_edges(), 1u);
  ASSERT_TRUE(graph.Erase(c).ok());
  EXPECT_EQ(graph.num_control_edges(), 0u);
}

// Random creation and erasure, with names that clash, against a map.
TEST_F(GraphTables, NamesAreUniqueAndFound) {
  std::mt19937 random(7);
  std::map<std::string, Node*> expected = {{"x", x}};
  for (int step = 0; step < 20000; ++step) {
    if (random() % 5 < 3 || expected.size() < 2) {
      const std::string wish = random() % 3 ? "n" + std::to_string(random() % 3000) : std::string();
      Node* node = Unary("Relu", wish);
      if (!wish.empty() && !expected.contains(wish)) { EXPECT_EQ(node->name(), wish); }
      EXPECT_TRUE(expected.emplace(node->name(), node).second) << node->name() << " was given twice";
    } else {
      auto it = expected.lower_bound("n" + std::to_string(random() % 3000));
      if (it == expected.end() || it->second == x) continue;
      const std::string name = it->first;
      ASSERT_TRUE(graph.Erase(it->second).ok());
      expected.erase(it);
      EXPECT_EQ(graph.FindNode(name), nullptr);
    }
  }
  EXPECT_EQ(graph.size(), expected.size());
  EXPECT_EQ(graph.CountOf("Relu") + 1, expected.size());
  for (const auto& [name, node] : expected) EXPECT_EQ(graph.FindNode(name), node);
}

TEST_F(GraphTables, SweepsVisitTheListInOrderWhateverTheIds) {
  std::vector<Node*> nodes = {x};
  for (int i = 0; i < 100; ++i) nodes.push_back(Unary("Relu"));
  for (size_t i = 1; i + 1 < nodes.size(); i += 3) {
    graph.MoveBefore(nodes[i], nullptr);
    nodes.push_back(nodes[i]);
    nodes.erase(nodes.begin() + static_cast<std::ptrdiff_t>(i));
  }
  EXPECT_EQ(graph.NodeList(), nodes);
  std::vector<Node*> back;
  for (Node* n = graph.last(); n; n = Graph::SweepPrev(*n)) back.insert(back.begin(), n);
  EXPECT_EQ(back, nodes);
}

}  // namespace
}  // namespace ge
