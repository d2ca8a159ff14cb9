// What a text graph cannot show: element-wise operators that do not broadcast an operand by themselves.
#include "ge_core/passes/cleanup/broadcast_remove_pass.h"

#include <gtest/gtest.h>

#include "tests/ge_core/passes/test_graphs.h"

namespace ge {
namespace {
using namespace ge::testing;

// The shape of the result is that of operand 0, whatever the others have.
constexpr OpDef kFirstDecides = OpDef("FirstDecides").Input("x1").Input("x2").Output("y").Traits(kElementwise).Infer(InferSame);

const OpTable& Ops() {
  static const OpTable table([] {
    std::vector<const OpDef*> defs(HostOps().defs().begin(), HostOps().defs().end());
    defs.push_back(&kFirstDecides);
    return defs;
  }());
  return table;
}

// BroadcastTo(i64[1]) to [4] as operand `port` of `op`, beside an i64[4]. True if the broadcast went.
bool Fires(std::string_view op, size_t port, std::string* why) {
  Module m(Ops());
  Builder b(m);
  Value *x = b.In(I64(1)), *z = b.In(I64(4));
  Value* wide = b.Op("BroadcastTo", {x, b.C({4})});
  std::vector<Value*> operands = {z, z};
  operands[port] = wide;
  b.Return({b.Op(op, operands)});
  BroadcastRemovePass pass({});
  *why = WhyNot(pass, *wide->producer());
  return RunNodePass(pass, b.graph());
}

TEST(BroadcastRemove, AsksTheOperatorWhetherItBroadcasts) {
  std::string why;
  EXPECT_TRUE(Fires("Add", 0, &why));
  EXPECT_EQ(why, "");
  EXPECT_TRUE(Fires("Add", 1, &why));
  EXPECT_FALSE(Fires("FirstDecides", 0, &why));
  EXPECT_NE(why.find("would not keep its type"), std::string::npos) << why;
  EXPECT_FALSE(Fires("FirstDecides", 1, &why));
  EXPECT_NE(why.find("does not broadcast this operand"), std::string::npos) << why;
}

}  // namespace
}  // namespace ge
