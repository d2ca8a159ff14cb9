#include "ge_core/passes/layout/winograd_pass.h"

#include <gtest/gtest.h>

#include "ge_core/ir/algorithm.h"
#include "tests/ge_core/passes/test_graphs.h"

namespace ge {
namespace {
using namespace ge::testing;

ValueType F32(std::vector<int64_t> shape) { return ValueType::Tensor(DType::kF32, Shape(shape.begin(), shape.end())); }

// Runs Conv2D. One that understands the mark takes it for 32 channels and more, and wishes for another filter then.
class FakeEngine : public Engine {
 public:
  explicit FakeEngine(bool understands = true) : understands_(understands) {}
  std::string_view name() const override { return "fake"; }
  Support Supports(const Node& n) const override {
    if (!n.Is("Conv2D")) return Support::No("only Conv2D");
    if (understands_ && Marked(n) && n.input(0)->type().shape()[1].value() < 32) return Support::No("too few channels");
    return Support::Yes();
  }
  std::vector<LayoutPreference> Preferences(const Node& n) const override {
    if (!understands_ || !Marked(n)) return {};
    return {{LayoutPreference::Side::kInput, 1, StorageLayout::Packed("fake:128:w")}};
  }
  Result<std::unique_ptr<Executable>> Load(const Node&) const override { return Unimplemented("not in this test"); }
  static bool Marked(const Node& n) { return n.Str(kAlgorithmMark) == kWinograd; }

 private:
  bool understands_;
};

struct Winograd : ::testing::Test {
  Module m{HostOps()};
  Builder b{m};
  bool Run(const Engine& engine) {
    WinogradPass pass({&engine});
    auto r = pass.Run(b.graph());
    EXPECT_TRUE(r.ok()) << r.message();
    return r.ok() && *r;
  }
  Value* Convolution(int64_t channels, bool weight) {
    Value *x = b.In(F32({1, channels, 8, 8})), *w = b.In(F32({32, channels, 3, 3}));
    if (weight) b.graph().SetAttr(w->producer(), "weight", true);
    return b.Op("Conv2D", {x, w}, {{"strides", Attr::Ints({1, 1})}, {"pads", Attr::Ints({1, 1})}, {"dilations", Attr::Ints({1, 1})}});
  }
};

TEST_F(Winograd, MarksWhatTheEngineTakesOnce) {
  Value *wide = Convolution(64, true), *narrow = Convolution(8, true);
  b.Return({wide, narrow});
  const FakeEngine engine;
  EXPECT_TRUE(Run(engine));
  EXPECT_TRUE(FakeEngine::Marked(*wide->producer()));
  EXPECT_TRUE(narrow->producer()->attr(kAlgorithmMark).IsNone());
  EXPECT_FALSE(Run(engine));
}

TEST_F(Winograd, FiltersThatAreComputedAtTheCallStay) {
  Value* y = Convolution(64, false);
  b.Return({y});
  EXPECT_FALSE(Run(FakeEngine()));
  EXPECT_TRUE(y->producer()->attr(kAlgorithmMark).IsNone());
}

TEST_F(Winograd, AnEngineThatKnowsNothingOfTheMarkIsLeftAlone) {
  Value* y = Convolution(64, true);
  b.Return({y});
  EXPECT_FALSE(Run(FakeEngine(false)));
  EXPECT_TRUE(y->producer()->attr(kAlgorithmMark).IsNone());
}

}  // namespace
}  // namespace ge
