#pragma once
// OpsKernelBuilder: prepares the nodes of one kernel library before planning: sizes of results, what shares memory with what, and
// whether the node becomes a task at all. A library exports one builder:
//
//   GE_ENGINE_PLUGIN_ABI();
//   REGISTER_OPS_KERNEL_BUILDER("MY_OP_STORE", MyBuilder);
//
// which defines a constant-initialised row: nothing runs when the library is opened.
#include "ge_core/engine/engine_plugin.h"

namespace ge {

// What memory planning is told about a node.
struct OpRunningParam {
  struct Output {
    int64_t bytes = -1;    // the result's buffer, padding included; -1: nothing beyond its dense size is asked for
    int reuse_input = -1;  // the input whose memory the result is, -1: its own. Read for nodes without kernels
  };
  bool skipped = false;  // shapes are open: all of it is decided at run time
  std::vector<Output> outputs;
};

// The state of the pass that an operator's presence is blamed on.
struct PassState {
  bool known = false;  // this program has such a pass
  bool on = true;
  std::string gate;    // the option that decides, with its value: "ge.oo.constantFolding = true"
  std::string reason;  // why the pass left the node alone, where it says so
};

// What GenerateTask may ask about the compile, and where it reports to.
class GE_API TaskContext {
 public:
  virtual ~TaskContext();
  virtual PassState StateOf(std::string_view pass, const Node& node) const = 0;
  // Resolved text of an option; empty where the program has no such option.
  virtual std::string OptionValue(std::string_view key) const = 0;
  // The engine leaves the node in question to the engines after it. `why` is shown as its refusal.
  virtual void HandOn(std::string why) = 0;
};

class GE_API OpsKernelBuilder {
 public:
  virtual ~OpsKernelBuilder();
  // Fails where the node can never run as it is; the message says what is wrong with it.
  virtual Result<OpRunningParam> CalcOpRunningParam(const Graph& graph, const Node& node) const = 0;
  // Called after CalcOpRunningParam. Fails where the node must not be in a compiled graph. May set attributes of the node.
  virtual Status GenerateTask(Graph& graph, Node& node, TaskContext& context) const = 0;
};

struct OpsKernelBuilderRow {
  const char* op_kernel_lib;  // OpInfo::opKernelLib
  std::unique_ptr<OpsKernelBuilder> (*make)();
};
inline constexpr const char* kOpsKernelBuilderSymbol = "ge_ops_kernel_builder";

}  // namespace ge

#define REGISTER_OPS_KERNEL_BUILDER(op_kernel_lib, Builder)                     \
  extern "C" GE_API const ::ge::OpsKernelBuilderRow ge_ops_kernel_builder;      \
  constinit const ::ge::OpsKernelBuilderRow ge_ops_kernel_builder = {           \
      op_kernel_lib, []() -> std::unique_ptr<::ge::OpsKernelBuilder> { return std::make_unique<Builder>(); }}
