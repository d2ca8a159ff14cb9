// One negative test for each invariant of docs/verifier.md.
#include "ge_core/ir/verifier.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "ge_core/ir/text.h"
#include "host_kernels/ops.h"

namespace ge {

// Breaks what Graph keeps right.
struct GraphTestPeer {
  static auto& Inputs(Node* n) { return n->inputs_; }
  static auto& Uses(Value* v) { return v->uses_; }
  static AttrMap& Attrs(Node* n) { return n->attrs_; }
  static std::string& Name(Node* n) { return n->name_; }
  static auto& ControlInputs(Node* n) { return n->control_inputs_; }
  static void DropOutput(Node* n) { --n->num_outputs_; }
  static void SetNetOutput(Graph& g, Node* n) { g.net_output_ = n; }
};
using Peer = GraphTestPeer;

namespace {

std::unique_ptr<Module> Parse(std::string_view text) {
  auto m = ParseModule(text, HostOps());
  EXPECT_TRUE(m.ok()) << m.message();
  return *std::move(m);
}

constexpr std::string_view kPlain = R"(graph @g(%x: f32[2], %y: f32[2]) {
  %a = Add(%x, %y) : f32[2]
  %b = Add(%a, %x) : f32[2]
  !n = NoOp() after(%a)
  %c = Const [1, 2] : f32[2]
  return %b, %c after(!n)
})";

Node* Find(Module& m, std::string_view name) { return m.entry().FindNode(name); }

void ExpectViolation(const Module& m, std::string_view rule) {
  const Status s = Verify(m);
  ASSERT_FALSE(s.ok()) << rule;
  EXPECT_NE(s.message().find(std::string("\n") + std::string(rule) + " "), std::string::npos) << s.message();
}

TEST(Verifier, AcceptsAValidModule) {
  const Status s = Verify(*Parse(kPlain));
  EXPECT_TRUE(s.ok()) << s.message();
}

TEST(Verifier, V01DefinedBeforeUse) {
  auto m = Parse(kPlain);
  m->entry().MoveBefore(Find(*m, "b"), Find(*m, "a"));
  ExpectViolation(*m, "V01");
  auto other = Parse(kPlain);
  auto n = Parse(kPlain);
  Peer::Inputs(Find(*n, "a"))[0] = Find(*other, "x")->output();
  ExpectViolation(*n, "V01");
}

TEST(Verifier, V02UseListsMirrorInputs) {
  auto m = Parse(kPlain);
  Peer::Uses(Find(*m, "a")->output()).clear();
  ExpectViolation(*m, "V02");
  auto n = Parse(kPlain);
  Peer::Uses(Find(*n, "a")->output()).push_back({Find(*n, "a"), 0});
  ExpectViolation(*n, "V02");
}

TEST(Verifier, V03Arity) {
  auto m = Parse(kPlain);
  Peer::Inputs(Find(*m, "a")).pop_back();
  ExpectViolation(*m, "V03");
  auto n = Parse("graph @g(%x: f32[2]) { %a = Add(%x, %x) : f32[2] return }");
  Peer::DropOutput(Find(*n, "a"));
  ExpectViolation(*n, "V03");
}

TEST(Verifier, V04Attributes) {
  auto m = Parse(kPlain);
  Peer::Attrs(Find(*m, "a")).Set("colour", "red");
  ExpectViolation(*m, "V04");
  auto n = Parse("graph @g(%x: f32[2]) { %s = SymSize(%x) {dim=0} : sym.i64[2] return %s }");
  Peer::Attrs(Find(*n, "s")).Remove("dim");
  ExpectViolation(*n, "V04");
  auto o = Parse("graph @g(%x: f32[2]) { %s = SymSize(%x) {dim=0} : sym.i64[2] return %s }");
  Peer::Attrs(Find(*o, "s")).Set("dim", "0");
  ExpectViolation(*o, "V04");
}

TEST(Verifier, V05PortTypes) {
  auto m = Parse("graph @g(%x: f32[2]) { %a = Sqrt(%x) : f32[2] return %a }");
  const OpDef* op = HostOps().Find("Sqrt");
  if (op->inputs[0].types.Has(DType::kF4E2M1X2)) GTEST_SKIP() << "Sqrt takes every dtype";
  m->entry().SetType(Find(*m, "x")->output(), ValueType::Tensor(DType::kF4E2M1X2, {2}));
  ExpectViolation(*m, "V05");
}

TEST(Verifier, V06StoredTypesAreInferredTypes) {
  auto m = Parse(kPlain);
  m->entry().SetType(Find(*m, "a")->output(), ValueType::Tensor(DType::kF32, {3}));
  ExpectViolation(*m, "V06");
}

TEST(Verifier, V07OneNetOutputLast) {
  Module empty(HostOps());
  EXPECT_FALSE(Verify(empty).ok());
  Graph* g = *empty.AddGraph("g");
  g->AddInput(ValueType::Tensor(DType::kF32, {2}));
  ExpectViolation(empty, "V07");
  auto m = Parse(kPlain);
  m->entry().MoveBefore(m->entry().net_output(), Find(*m, "c"));
  ExpectViolation(*m, "V07");
  auto n = Parse(kPlain);
  Peer::SetNetOutput(n->entry(), nullptr);
  n->entry().SetOutputs({});
  ExpectViolation(*n, "V07");
}

TEST(Verifier, V08DataIndices) {
  auto m = Parse(kPlain);
  Peer::Attrs(Find(*m, "y")).Set("index", 0);
  ExpectViolation(*m, "V08");
}

TEST(Verifier, V09ConstHasItsBuffer) {
  auto m = Parse(kPlain);
  Peer::Attrs(Find(*m, "c")).Remove("value");
  ExpectViolation(*m, "V09");
  auto n = Parse(kPlain);
  Peer::Attrs(Find(*n, "c")).Set("value", Tensor(ValueType::Tensor(DType::kF32, {3})));
  ExpectViolation(*n, "V09");
}

TEST(Verifier, V10ControlEdges) {
  auto m = Parse(kPlain);
  Node* n = Find(*m, "a");
  Peer::ControlInputs(n).push_back(Find(*m, "b"));  // a cycle: b reads a
  ExpectViolation(*m, "V10");
}

TEST(Verifier, V11TypesAreWellFormed) {
  auto m = Parse("graph @g(%x: f32[2]) { return %x }");
  m->entry().SetType(Find(*m, "x")->output(), ValueType::Tensor(DType::kF32, {-3}));
  ExpectViolation(*m, "V11");
  m->entry().SetType(Find(*m, "x")->output(), ValueType::Tensor(DType::kF32, {int64_t{1} << 40, int64_t{1} << 40}));
  ExpectViolation(*m, "V11");
  ValueType t = ValueType::Tensor(DType::kF32, {2, 2});
  t.layout = StorageLayout::Strided({1});
  EXPECT_FALSE(CheckType(t).ok());
  EXPECT_FALSE(CheckType(ValueType::Tensor(DType::kF32, Shape(300, 1))).ok());
  EXPECT_TRUE(CheckType(ValueType::Tensor(DType::kF32, {int64_t{1} << 40, int64_t{1} << 40, 0})).ok());
}

TEST(Verifier, V12UniqueNames) {
  auto m = Parse(kPlain);
  Peer::Name(Find(*m, "b")) = "a";
  ExpectViolation(*m, "V12");
}

TEST(Verifier, V13InputReferencesExist) {
  ExpectViolation(*Parse("graph @g(%x: f32[2]) { %a = AtenCall(%x) {args=[$0, [$1]], op=\"aten::abs\"} : f32[2] return %a }"), "V13");
}

TEST(Verifier, V14ReadersComeBeforeTheWrite) {
  EXPECT_TRUE(Verify(*Parse(R"(graph @g(%x: f32[2], %y: f32[2]) {
  %r = Add(%x, %y) : f32[2]
  %w = Assign(%x, %y) : f32[2]
  %s = Add(%w, %y) : f32[2]
  return %r, %s, %x })"))
                  .ok());
  ExpectViolation(*Parse(R"(graph @g(%x: f32[2], %y: f32[2]) {
  %w = Assign(%x, %y) : f32[2]
  %s = Add(%x, %y) : f32[2]
  return %s })"),
                  "V14");
}

TEST(Verifier, V15Subgraphs) {
  ExpectViolation(*Parse("graph @g(%x: f32[2]) { %a = PartitionedCall(%x) {f=@none_such} : f32[2] return %a }"), "V15");
  ExpectViolation(*Parse("graph @g(%x: f32[2]) { %a = PartitionedCall(%x) {f=@g} : f32[2] return %a }"), "V15");
  ExpectViolation(*Parse("graph @g(%x: f32[2]) { %a = PartitionedCall(%x) {f=@s} : f32[2] return %a } graph @s() { return }"), "V15");
  ExpectViolation(*Parse("graph @g(%x: f32[2]) { %a = PartitionedCall(%x) {f=@s} : f32[2] return %a } graph @s(%x: f32[3]) { return %x }"),
                  "V15");
  ExpectViolation(*Parse(R"(graph @g() { PartitionedCall() {f=@s} return }
    graph @s() { PartitionedCall() {f=@t} return } graph @t() { PartitionedCall() {f=@s} return })"),
                  "V15");
}

TEST(Verifier, CollectsAllViolations) {
  auto m = Parse(kPlain);
  Peer::Name(Find(*m, "b")) = "a";
  Peer::Attrs(Find(*m, "c")).Remove("value");
  ExpectViolation(*m, "V09");
  ExpectViolation(*m, "V12");
}

}  // namespace
}  // namespace ge
