// An engine with one operator: ReverseV2 (torch.flip) along the last axis. docs/engines.md goes through it.
#include <algorithm>
#include <cstdint>

#include "ge_core/base/str.h"
#include "ge_core/engine/engine_plugin.h"

GE_ENGINE_PLUGIN_ABI();

namespace {

constexpr const char* kEngine = "SAMPLE_FLIP";
constexpr const char* kOpStore = "SAMPLE_FLIP_OP_STORE";

// The kernel: everything resolved when it is made, immutable, entered by several threads at once.
template <typename Element>
class FlipLastAxis final : public ge::Executable {
 public:
  FlipLastAxis(int64_t rows, int64_t length) : rows_(rows), length_(length) {}
  ge::Status Run(ge::KernelContext& context) const override {
    const auto* in = static_cast<const Element*>(context.inputs[0]->data);
    auto* out = static_cast<Element*>(context.outputs[0]->data);
    for (int64_t row = 0; row < rows_; ++row, in += length_, out += length_) std::reverse_copy(in, in + length_, out);
    return {};
  }

 private:
  int64_t rows_, length_;
};

class FlipStore final : public ge::OpsKernelInfoStore {
 public:
  void GetAllOpsKernelInfo(std::map<std::string, ge::OpInfo>& infos) const override {
    infos["ReverseV2"] = {.engine = kEngine, .opKernelLib = kOpStore, .computeCost = 10, .flagPartial = true};
  }

  // Types are static and row-major here: torch_ge has refused the rest. What is left to decide is the axis and the element.
  bool CheckSupported(const ge::Node& node, std::string& reason) const override {
    const ge::ValueType& x = node.input(0)->type();
    const ge::Tensor* axis = node.input(1)->producer()->const_value();
    if (!axis) {
      reason = "the axis is no constant";
    } else if (axis->num_elements() != 1 || x.rank() == 0 || (Axis(*axis) != x.rank() - 1 && Axis(*axis) != -1)) {
      reason = "it flips the last axis only";
    } else if (ge::SizeOf(x.dtype()) != 4 && ge::SizeOf(x.dtype()) != 8) {
      reason = ge::StrCat("it flips elements of 4 or 8 bytes, input 0 is ", ToString(x));
    }
    return reason.empty();
  }

  ge::Result<std::unique_ptr<ge::Executable>> LoadExecutable(const ge::Node& node) const override {
    const ge::ValueType& x = node.input(0)->type();
    const int64_t length = x.shape().back().value(), rows = length == 0 ? 0 : x.StaticNumElements() / length;
    if (ge::SizeOf(x.dtype()) == 4) return std::unique_ptr<ge::Executable>(std::make_unique<FlipLastAxis<uint32_t>>(rows, length));
    return std::unique_ptr<ge::Executable>(std::make_unique<FlipLastAxis<uint64_t>>(rows, length));
  }

 private:
  static int64_t Axis(const ge::Tensor& axis) {
    return axis.dtype() == ge::DType::kI32 ? *axis.data<int32_t>() : *axis.data<int64_t>();
  }
};

FlipStore* store = nullptr;  // alive between Initialize and Finalize

}  // namespace

extern "C" {

GE_API ge::Status Initialize(const ge::PluginOptions&) {
  store = new FlipStore();
  return {};
}

GE_API void GetOpsKernelInfoStores(std::map<std::string, ge::OpsKernelInfoStore*>& stores) { stores[kOpStore] = store; }

GE_API void GetGraphOptimizerObjs(std::map<std::string, ge::GraphOptimizer*>&) {}

GE_API ge::Status Finalize() {
  delete store;
  store = nullptr;
  return {};
}
}
