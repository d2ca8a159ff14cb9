#include "ge_core/passes/buffers/reinplace_pass.h"

#include <gtest/gtest.h>

#include "ge_core/ir/reference.h"
#include "ge_core/ir/verifier.h"
#include "ge_core/passes/rewriter.h"
#include "tests/ge_core/passes/test_graphs.h"

namespace ge {
namespace {
using namespace ge::testing;

// Runs every operator; allocates its results, as engines with in-place kernels do.
class FakeEngine : public Engine {
 public:
  explicit FakeEngine(bool allocates) : allocates_(allocates) {}
  std::string_view name() const override { return "fake"; }
  Support Supports(const Node&) const override { return Support::Yes(); }
  Result<std::unique_ptr<Executable>> Load(const Node&) const override { return Unimplemented("not in this test"); }
  bool allocates_outputs() const override { return allocates_; }

 private:
  bool allocates_;
};

struct Reinplace : ::testing::Test {
  Module m{HostOps()};
  Builder b{m};
  FakeEngine in_place{true}, planned{false};
  EngineList engines{&in_place};
  const ValueType cache_type = ValueType::Tensor(DType::kF32, {Dim(4), Dim(8)});
  Value* cache = b.In(cache_type);
  Value* index = b.In(ValueType::Tensor(DType::kI64, {Dim(1)}));
  Value* row = b.In(ValueType::Tensor(DType::kF32, {Dim(1), Dim(8)}));

  Value* Update(Value* of, Value* source) { return b.Op("IndexCopy", {of, index, source}, {{"dim", int64_t{0}}}); }
  Value* Write(Value* value) { return b.Op("Assign", {cache, value}); }
  // The pass at every Assign; says why where it leaves one.
  std::string Run() {
    ReinplacePass pass(engines);
    Rewriter rewriter(b.graph());
    std::string why;
    for (Node* n : b.graph().NodeList()) {
      if (!n->Is("Assign")) continue;
      const std::string reason = pass.WhyNot(*n, rewriter);
      const Result<bool> changed = pass.Run(*n, rewriter);
      EXPECT_TRUE(changed.ok());
      EXPECT_EQ(*changed, reason.empty());
      why += reason;
    }
    const Status valid = Verify(m);
    EXPECT_TRUE(valid.ok()) << valid.message();
    return why;
  }
  static bool Contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }
};

TEST_F(Reinplace, UpdateOfACache) {
  Value* before = b.Op("Relu", {cache});
  Value* made = Update(cache, row);
  Value* after = b.Op("Relu", {made});
  Write(made);
  b.Return({before, after});
  EXPECT_EQ(Run(), "");
  EXPECT_TRUE(IsReference(*made->producer()));
  EXPECT_FALSE(made->producer()->pure());
  EXPECT_TRUE(made->producer()->may_alias_inputs());
  EXPECT_EQ(b.graph().CountOf("Assign"), 0U);
}

TEST_F(Reinplace, TheResultOfTheWriteIsTheUpdate) {
  Value* made = Update(cache, row);
  Value* written = Write(made);
  Value* after = b.Op("Neg", {written});
  b.Return({after, written});
  EXPECT_EQ(Run(), "");
  EXPECT_EQ(after->producer()->input(0), made);
  EXPECT_EQ(b.graph().net_output()->input(1), made);
}

TEST_F(Reinplace, WaitsStay) {
  Value* before = b.Op("Relu", {cache});
  Value* made = Update(cache, row);
  Value* written = Write(made);
  ASSERT_TRUE(b.graph().AddControlEdge(before->producer(), written->producer()).ok());
  b.Return({before});
  EXPECT_EQ(Run(), "");
  ASSERT_EQ(made->producer()->control_inputs().size(), 1U);
  EXPECT_EQ(made->producer()->control_inputs()[0], before->producer());
}

TEST_F(Reinplace, KeepsWhereTheOldValueIsReadLater) {
  Value* made = Update(cache, row);
  Value* late = b.Op("Relu", {cache});
  Write(made);
  b.Return({late, b.Op("Neg", {late})});
  EXPECT_TRUE(Contains(Run(), "reads the old value after the update"));
}

TEST_F(Reinplace, KeepsWhereAViewOfTheOldValueIsReadLater) {
  Value* view = b.Op("Squeeze", {cache});
  Value* made = Update(cache, row);
  Value* late = b.Op("Relu", {view});
  Write(made);
  b.Return({late});
  EXPECT_TRUE(Contains(Run(), "reads the old value after the update"));
}

TEST_F(Reinplace, KeepsWhereTheNewValueIsAResult) {
  Value* made = Update(cache, row);
  Write(made);
  b.Return({made});
  EXPECT_TRUE(Contains(Run(), "is itself a result of the graph"));
}

TEST_F(Reinplace, KeepsWhereTheSourceMayBeTheInput) {
  Value* made = Update(cache, cache);
  Write(made);
  b.Return({row});
  EXPECT_TRUE(Contains(Run(), "may share memory with the input"));
}

TEST_F(Reinplace, KeepsWhatIsNoUpdate) {
  Write(b.Op("Neg", {b.Op("Relu", {cache})}));
  b.Return({row});
  EXPECT_TRUE(Contains(Run(), "is no update of the input"));
}

TEST_F(Reinplace, KeepsAnUpdateThatOtherWritesFollow) {
  Value* made = Update(cache, row);
  Write(made);
  Value* again = Update(b.Op("Relu", {made}), row);
  b.Op("Assign", {cache, again});
  b.Return({row});
  EXPECT_TRUE(Contains(Run(), "may write the same memory"));
}

TEST_F(Reinplace, KeepsWhereNoEngineWritesInPlace) {
  engines = {&planned};
  Value* made = Update(cache, row);
  Write(made);
  b.Return({row});
  const std::string why = Run();
  EXPECT_TRUE(Contains(why, "no engine has an in-place kernel of IndexCopy")) << why;
  EXPECT_TRUE(Contains(why, "fake: writes results into planned memory")) << why;
}

}  // namespace
}  // namespace ge
