#include "ge_core/autofuse/auto_fuse_pass.h"

#include <algorithm>
#include <queue>
#include <unordered_map>

#include "ge_core/autofuse/region.h"
#include "ge_core/ir/fused_region.h"
#include "ge_core/passes/constant_stage.h"
#include "ge_core/passes/pass_context.h"
#include "ge_core/passes/pass_def.h"

namespace ge {
namespace {

struct NodeInfo {
  int position = 0;
  int epoch = 0;  // effects before the node in list order
  bool candidate = false;
  bool at_call = true;  // false: runs in the constant stage, and must not be drawn into a region that runs at each call
  int region = -1;
};

class Former {
 public:
  Former(Graph& graph, const Engine& engine, const AutoFuseOptions& options, const EngineList& before)
      : graph_(graph), engine_(engine), options_(options), before_(before) {
    const ConstantStage stage(graph);
    int position = 0, epoch = 0;
    for (Node* n : graph.nodes()) {
      NodeInfo& info = info_[n];
      info.position = position++;
      info.epoch = epoch;
      if (!n->op().Has(kSkeleton) && !n->pure()) ++epoch;
      info.candidate = IsCandidate(*n);
      info.at_call = stage.AtCall(*n);
    }
  }

  // Regions in the order of their last nodes, latest first.
  std::vector<Region> Form() {
    std::vector<Node*> nodes = graph_.NodeList();
    std::vector<Region> regions;
    for (auto it = nodes.rbegin(); it != nodes.rend(); ++it) {
      const NodeInfo& info = info_.at(*it);
      if (!info.candidate || info.region >= 0) continue;
      Region region = Grow(*it, static_cast<int>(regions.size()));
      if (region.nodes.size() >= options_.min_nodes) {
        regions.push_back(std::move(region));
      } else {
        for (Node* n : region.nodes) info_[n].region = -1;
        info_[*it].candidate = false;  // tried as a last node; it may not join an earlier region, which ends before it
      }
    }
    return regions;
  }

 private:
  bool IsCandidate(const Node& n) const {
    return n.op().Has(kElementwise) && n.pure() && n.num_outputs() == 1 && n.control_inputs().empty() && n.control_outputs().empty() &&
           engine_.Supports(n).ok && std::ranges::none_of(before_, [&](const Engine* e) { return e->Supports(n).ok; });
  }

  static bool SameLoop(const ValueType& a, const ValueType& b) { return a.shape() == b.shape() && a.Strides() == b.Strides(); }

  // Everything that reads `n` is inside, or after the last node.
  bool ReadersAllow(const Node& n, int region, int last) const {
    for (const Use& use : n.output()->uses()) {
      const NodeInfo& user = info_.at(use.user);
      if (user.region != region && user.position < last) return false;
    }
    return true;
  }

  // Backwards from `sink`, always the latest producer first: all its readers have been decided by then.
  Region Grow(Node* sink, int number) {
    const NodeInfo& last = info_.at(sink);
    const auto earlier = [this](const Node* a, const Node* b) { return info_.at(a).position < info_.at(b).position; };
    std::priority_queue<Node*, std::vector<Node*>, decltype(earlier)> queue(earlier);
    Region region;
    const auto add = [&](Node* n) {
      info_[n].region = number;
      region.nodes.push_back(n);
      for (Value* v : n->inputs()) {
        if (v) queue.push(v->producer());
      }
    };
    add(sink);
    while (!queue.empty() && region.nodes.size() < options_.max_nodes) {
      Node* n = queue.top();
      queue.pop();
      const NodeInfo& info = info_.at(n);
      if (!info.candidate || info.region >= 0 || info.epoch != last.epoch || info.at_call != last.at_call) continue;
      if (!SameLoop(n->output()->type(), sink->output()->type()) || !ReadersAllow(*n, number, last.position)) continue;
      add(n);
      FindBoundary(region);
      if (region.inputs.size() + region.outputs.size() > options_.max_operands) {
        std::erase(region.nodes, n);  // its producers stay queued, and are refused: a reader of theirs is outside
        info_[n].region = -1;
      }
    }
    FindBoundary(region);
    return region;
  }

  Graph& graph_;
  const Engine& engine_;
  const AutoFuseOptions& options_;
  const EngineList& before_;
  std::unordered_map<const Node*, NodeInfo> info_;  // looked up only
};

}  // namespace

REG_PASS_OPTION(AutoFusePass)
    .Name("autofuse")
    .Doc("Forms element-wise regions that one engine runs as one task.")
    .Levels(OptLevel::kO3)
    .Graph([](const PassContext& c) -> std::unique_ptr<GraphPass> {
      for (size_t i = 0; i < c.engines.size(); ++i)
        if (c.engines[i]->name() == "jit")
          return std::make_unique<AutoFusePass>(c.engines[i], AutoFuseOptions{},
                                                EngineList(c.engines.begin(), c.engines.begin() + static_cast<ptrdiff_t>(i)));
      return nullptr;
    });

Result<bool> AutoFusePass::Run(Graph& graph) {
  if (!engine_ || !graph.ops().Find("FusedRegion") || IsRegionBody(graph)) return false;
  std::vector<Region> regions = Former(graph, *engine_, options_, before_).Form();
  bool changed = false;
  // Latest first: a region's outputs are read by regions that end later, so the values a region lists as its inputs are
  // still there when its turn comes; replacing their producer afterwards rewires the new node.
  for (const Region& region : regions) {
    GE_ASSIGN_OR_RETURN(const bool replaced, ReplaceByFusedRegion(graph, *engine_, region));
    changed |= replaced;
  }
  return changed;
}

}  // namespace ge
