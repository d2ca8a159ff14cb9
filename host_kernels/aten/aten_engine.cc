#include "host_kernels/aten/aten_engine.h"

#include "ge_core/base/str.h"

namespace ge::aten {
namespace {

void PutResult(Slot& slot, c10::IValue&& v) {
  if (v.isTensor()) {
    PutTensor(slot, std::move(v).toTensor());
    return;
  }
  slot.object.reset();
  if (v.isNone()) {
    slot.kind = ValueType::Kind::kOpaque;
    slot.data = nullptr;
    return;
  }
  slot.kind = ValueType::Kind::kSym;  // the slot's dtype is the planned type of the value
  const at::Scalar s = v.toScalar();
  if (s.isBoolean()) slot.dtype = DType::kBool, slot.sym.b = s.toBool();
  else if (s.isIntegral(false)) slot.dtype = DType::kI64, slot.sym.i = s.toLong();
  else slot.dtype = DType::kF64, slot.sym.f = s.toDouble();
}

class AtenExecutable final : public Executable {
 public:
  AtenExecutable(NodeCall call, std::string where) : call_(std::move(call)), where_(std::move(where)) {}

  Status Run(KernelContext& context) const override {
    try {
      std::vector<c10::IValue> results;
      results.reserve(call_.outputs.size());
      call_.call.Run(context.inputs, results);
      if (results.size() < call_.outputs.size())
        return Internal(StrCat(where_, ": ", results.size(), " results, ", call_.outputs.size(), " expected"));
      for (size_t i = 0; i < call_.outputs.size(); ++i)
        if (call_.outputs[i] >= 0) PutResult(*context.outputs[static_cast<size_t>(call_.outputs[i])], std::move(results[i]));
      return {};
    } catch (...) {  // what eager raises must reach the user unchanged
      *context.exception = std::current_exception();
      return Status(Code::kForeign, where_);
    }
  }

 private:
  NodeCall call_;
  std::string where_;
};

}  // namespace

Support AtenEngine::Supports(const Node& node) const {
  Result<NodeCall> call = MakeNodeCall(node, mappings_);
  return call.ok() ? Support::Yes() : Support::No(call.message());
}

Result<std::unique_ptr<Executable>> AtenEngine::Load(const Node& node) const {
  GE_ASSIGN_OR_RETURN(NodeCall call, MakeNodeCall(node, mappings_));
  return std::unique_ptr<Executable>(std::make_unique<AtenExecutable>(std::move(call), StrCat(node.op().name, " '", node.name(), "' ", node.loc())));
}

}  // namespace ge::aten
