#pragma once
// What the fixture plug-ins share: a store of one operator, and a log that tests read through dlsym.
#include "ge_core/base/str.h"
#include "ge_core/engine/engine_plugin.h"

namespace fixture {

// Negates f32 elements, or adds one to what is in the result already where `accumulate` is set (isAtomic).
class Negate final : public ge::Executable {
 public:
  Negate(int64_t count, bool accumulate) : count_(count), accumulate_(accumulate) {}
  ge::Status Run(ge::KernelContext& k) const override {
    const float* in = static_cast<const float*>(k.inputs[0]->data);
    float* out = static_cast<float*>(k.outputs[0]->data);
    for (int64_t i = 0; i < count_; ++i) out[i] = accumulate_ ? out[i] + 1 : -in[i];
    return {};
  }

 private:
  int64_t count_;
  bool accumulate_;
};

struct OneOpStore final : ge::OpsKernelInfoStore {
  ge::OpInfo info;
  std::string op;
  OneOpStore(std::string engine, std::string lib, std::string type, int cost = 0) : op(std::move(type)) {
    info.engine = std::move(engine), info.opKernelLib = std::move(lib), info.computeCost = cost, info.flagPartial = true;
  }
  void GetAllOpsKernelInfo(std::map<std::string, ge::OpInfo>& infos) const override { infos[op] = info; }
  bool CheckSupported(const ge::Node& node, std::string& reason) const override {
    if (node.input(0)->type().dtype() == ge::DType::kF32) return true;
    reason = ge::StrCat("it computes in f32 only, input 0 is ", ToString(node.input(0)->type()));
    return false;
  }
  ge::Result<std::unique_ptr<ge::Executable>> LoadExecutable(const ge::Node& node) const override {
    return std::unique_ptr<ge::Executable>(std::make_unique<Negate>(node.output()->type().StaticNumElements(), info.isAtomic));
  }
};

}  // namespace fixture

// The log of this library: "Initialize(O3) Finalize ".
#define FIXTURE_LOG()                                 \
  static std::string fixture_log;                     \
  extern "C" GE_API const char* fixture_read_log() {  \
    return fixture_log.c_str();                       \
  }
