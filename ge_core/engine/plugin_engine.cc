#include "ge_core/engine/plugin_engine.h"

#include <cstring>

#include "ge_core/base/str.h"

namespace ge {
namespace {

// Zero-fills results before each run: OpInfo::isAtomic.
class AtomicExecutable final : public Executable {
 public:
  AtomicExecutable(const Node& node, std::unique_ptr<Executable> inner) : inner_(std::move(inner)) {
    for (int i = 0; i < node.num_outputs(); ++i) bytes_.push_back(static_cast<size_t>(node.output(i)->type().StaticBytes()));
  }
  Status Run(KernelContext& context) const override {
    for (size_t i = 0; i < bytes_.size(); ++i)
      if (bytes_[i] != 0) std::memset(context.outputs[i]->data, 0, bytes_[i]);
    return inner_->Run(context);
  }
  int64_t workspace_bytes() const override { return inner_->workspace_bytes(); }

 private:
  std::unique_ptr<Executable> inner_;
  std::vector<size_t> bytes_;
};

std::string WhyNotPlain(const ValueType& type) {
  if (!type.IsTensor()) return StrCat(" is ", ToString(type), ": no tensor");
  if (!type.IsStatic()) return StrCat(" is ", ToString(type), ": its shape is open");
  if (type.layout.kind != StorageLayout::Kind::kContiguous && type.layout.kind != StorageLayout::Kind::kFree)
    return StrCat(" is ", ToString(type), ": plug-in kernels take row-major memory");
  return {};
}

}  // namespace

Result<std::unique_ptr<PluginEngine>> PluginEngine::Make(std::string op_kernel_lib, const OpsKernelInfoStore& store, std::string library) {
  std::unique_ptr<PluginEngine> engine(new PluginEngine());
  store.GetAllOpsKernelInfo(engine->infos_);
  const auto bad = [&](const auto&... what) { return InvalidArgument(StrCat("store '", op_kernel_lib, "' of ", library, ": ", what...)); };
  if (engine->infos_.empty()) return bad("it lists no operator; GetAllOpsKernelInfo must give at least one");
  for (const auto& [type, info] : engine->infos_) {
    if (info.engine.empty()) return bad("operator ", type, " names no engine");
    if (engine->name_.empty()) engine->name_ = info.engine;
    if (info.engine != engine->name_)
      return bad("its operators name two engines, '", engine->name_, "' and '", info.engine, "' (", type,
                 "); give each a store of its own");
    if (info.opKernelLib != op_kernel_lib)
      return bad("operator ", type, " names the kernel library '", info.opKernelLib, "'; expected the key of the store");
    if (info.flagAsync) return bad("operator ", type, " sets flagAsync; this runtime runs kernels one after the other on the host");
  }
  if (engine->name_.find_first_of(", \t") != std::string::npos)
    return bad("the engine name '", engine->name_, "' has a blank or comma; ge.exec.engines could not name it");
  engine->op_kernel_lib_ = std::move(op_kernel_lib);
  engine->library_ = std::move(library);
  engine->store_ = &store;
  return engine;
}

Support PluginEngine::Supports(const Node& node) const {
  const auto info = infos_.find(std::string(node.op().name));
  if (info == infos_.end()) return Support::No(StrCat(node.op().name, " is none of its operators"));
  if (store_->HasKernels()) {
    for (int i = 0; i < node.num_inputs(); ++i)
      if (node.input(i))
        if (std::string why = WhyNotPlain(node.input(i)->type()); !why.empty()) return Support::No(StrCat("input ", i, why));
    for (int i = 0; i < node.num_outputs(); ++i)
      if (std::string why = WhyNotPlain(node.output(i)->type()); !why.empty()) return Support::No(StrCat("output ", i, why));
  }
  if (!info->second.flagPartial) return Support::Yes();
  std::string reason;
  if (store_->CheckSupported(node, reason)) return Support::Yes();
  return Support::No(reason.empty() ? "its CheckSupported refused without a reason" : std::move(reason));
}

Result<std::unique_ptr<Executable>> PluginEngine::Load(const Node& node) const {
  const auto info = infos_.find(std::string(node.op().name));
  if (info == infos_.end()) return Unimplemented(StrCat("engine ", name_, " has no kernel for ", node.op().name));
  Result<std::unique_ptr<Executable>> made = store_->LoadExecutable(node);
  if (!made.ok()) return std::move(made).status().Annotate(StrCat("in engine ", name_, " of ", library_));
  if (!*made) return Internal(StrCat("engine ", name_, " of ", library_, " gave no kernel for ", node.op().name, " '", node.name(), "'"));
  if (!info->second.isAtomic) return made;
  return std::unique_ptr<Executable>(std::make_unique<AtomicExecutable>(node, *std::move(made)));
}

int PluginEngine::cost() const {
  int cost = infos_.begin()->second.computeCost;
  for (const auto& [type, info] : infos_) cost = std::min(cost, info.computeCost);
  return cost;
}

}  // namespace ge
