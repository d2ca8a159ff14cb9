#include "ge_core/ir/graph.h"

#include <algorithm>

#include "ge_core/base/str.h"
#include "ge_core/ir/reference.h"
#include "ge_core/ir/signature.h"

namespace ge {
namespace {

constexpr int64_t kOrderGap = int64_t{1} << 32;  // 2^31 nodes fit

std::string Describe(const OpDef& op, const std::string& name, const std::string& loc) {
  return StrCat(op.name, " '", name, "'", loc.empty() ? "" : StrCat(" (", loc, ")"));
}

uint32_t NameHash(std::string_view name) { return static_cast<uint32_t>(std::hash<std::string_view>()(name)); }

bool EraseOne(auto& v, const auto& x) {
  auto it = std::find(v.begin(), v.end(), x);
  if (it == v.end()) return false;
  v.erase(it);
  return true;
}

}  // namespace

// ---- Node ----

bool Node::unused() const {
  for (int i = 0; i < num_outputs_; ++i)
    if (!output(i)->unused()) return false;
  return true;
}
Attr Node::attr(std::string_view name) const {
  if (const Attr* a = attrs_.Find(name)) return *a;
  const AttrDef* d = op_->FindAttr(name);
  return d ? d->Default() : Attr();
}
int64_t Node::Int(std::string_view name) const {
  const Attr a = attr(name);
  const int64_t* v = a.Get<int64_t>();
  return v ? *v : 0;
}
double Node::Float(std::string_view name) const { return attr(name).AsDouble().value_or(0.0); }
bool Node::Bool(std::string_view name) const {
  const Attr a = attr(name);
  const bool* v = a.Get<bool>();
  return v && *v;
}
std::string Node::Str(std::string_view name) const {
  const Attr a = attr(name);
  const std::string* v = a.Get<std::string>();
  return v ? *v : std::string();
}
std::vector<int64_t> Node::Ints(std::string_view name) const { return attr(name).AsInts().value_or(std::vector<int64_t>{}); }

bool Node::pure() const {
  if (op_->traits & (kImpure | kRandom | kMutates) || IsReference(*this)) return false;
  if (op_->Has(kControlFlow) || op_->FindAttr("pure")) return Bool("pure");
  return true;
}
bool Node::may_alias_inputs() const {
  if (op_->traits & (kView | kMutates | kControlFlow) || IsReference(*this)) return true;
  if (op_->FindAttr("alias")) return Bool("alias");
  return false;
}

GraphObserver::~GraphObserver() = default;

// ---- Graph ----

Graph::Graph(std::string name, Module& module) : name_(std::move(name)), module_(&module), node_memory_(sizeof(Node)) {}
Graph::~Graph() {
  for (Node* n = first_; n;) {
    Node* next = n->next_;
    n->~Node();
    n = next;
  }
}

const OpTable& Graph::ops() const { return module_->ops(); }

size_t Graph::CountOf(std::string_view op) const {
  const OpDef* def = ops().Find(op);
  auto it = def ? op_counts_.find(def) : op_counts_.end();
  return it == op_counts_.end() ? 0 : it->second;
}

std::vector<Node*> Graph::NodeList() const {
  std::vector<Node*> out;
  out.reserve(size_);
  for (Node* n : nodes()) out.push_back(n);
  return out;
}

std::string Graph::UniqueName(std::string_view wish) {
  std::string name(wish);
  while (name.empty() || FindNode(name)) name = StrCat(wish.empty() ? "n" : wish, wish.empty() ? "" : "_", next_name_++);
  return name;
}

void Graph::Link(Node* node, Node* before) {
  Node* after = before ? before->prev_ : last_;
  node->prev_ = after;
  node->next_ = before;
  (after ? after->next_ : first_) = node;
  (before ? before->prev_ : last_) = node;
  ++size_;
  ++op_counts_[node->op_];
  if (!before) {
    node->order_ = after ? after->order_ + kOrderGap : 0;
    return;
  }
  const int64_t low = after ? after->order_ : before->order_ - 2 * kOrderGap;
  node->order_ = low + (before->order_ - low) / 2;
  if (node->order_ == low) Relabel(node);
}

// The gap around `node` is used up: spreads a neighbourhood that is wide enough for the nodes in it to be far apart again.
// It doubles until it is, so that insertion costs O(log n) amortised.
void Graph::Relabel(Node* node) {
  Node *lo = node, *hi = node;
  for (int64_t count = 1, step = 16;; step *= 2) {
    for (int64_t i = 0; i < step && lo->prev_; ++i, ++count) lo = lo->prev_;
    for (int64_t i = 0; i < step && hi->next_; ++i, ++count) hi = hi->next_;
    const bool all = !lo->prev_ && !hi->next_;
    const int64_t span = hi->order_ - lo->order_;
    if (!all && span / count < (int64_t{1} << 16)) continue;
    const int64_t first = all ? 0 : lo->order_, gap = all ? kOrderGap : span / count;
    int64_t i = 0;
    for (Node* n = lo;; n = n->next_) {
      n->order_ = first + gap * i++;
      if (n == hi) break;
    }
    return;
  }
}

void Graph::Unlink(Node* node) {
  (node->prev_ ? node->prev_->next_ : first_) = node->next_;
  (node->next_ ? node->next_->prev_ : last_) = node->prev_;
  node->prev_ = node->next_ = nullptr;
  --size_;
  --op_counts_[node->op_];
}

void Graph::Delete(Node* node) {
  by_name_.Erase(NameHash(node->name_), node->id_);
  by_id_[static_cast<size_t>(node->id_)] = nullptr;
  Unlink(node);
  node->~Node();
  node_memory_.Free(node);
}

void Graph::AddUse(Value* value, Node* user, int index) {
  if (!value) return;
  user->use_slots_[static_cast<size_t>(index)] = static_cast<uint32_t>(value->uses_.size());
  value->uses_.push_back({user, index});
}

void Graph::DropUse(Value* value, Node* user, int index) {
  if (!value) return;
  auto& uses = value->uses_;
  const size_t slot = user->use_slots_[static_cast<size_t>(index)];
  GE_CHECK(slot < uses.size() && uses[slot].user == user && uses[slot].index == index, "use list does not mirror an input");
  if (slot + 1 != uses.size()) {  // the last one moves into the hole
    uses[slot] = uses.back();
    uses[slot].user->use_slots_[static_cast<size_t>(uses[slot].index)] = static_cast<uint32_t>(slot);
  }
  uses.pop_back();
}

Node* Graph::AddInput(ValueType type, std::string name) {
  Node* before = data_.empty() ? first_ : data_.back()->next_;
  NodeSpec spec{
      .op = "Data", .attrs = {{"index", static_cast<int64_t>(data_.size())}}, .name = std::move(name), .types = {std::move(type)}};
  Result<Node*> node = Create(std::move(spec), before);
  GE_CHECK(node.ok(), "the op table lacks Data");
  data_.push_back(*node);
  return *node;
}

void Graph::SetOutputs(const std::vector<Value*>& values) {
  if (!net_output_) {
    Result<Node*> node = Create({.op = "NetOutput", .inputs = values, .name = "net_output"});
    GE_CHECK(node.ok(), "the op table lacks NetOutput");
    net_output_ = *node;
    return;
  }
  const std::vector<Value*> before = net_output_->inputs_;
  for (size_t i = 0; i < before.size(); ++i) DropUse(before[i], net_output_, static_cast<int>(i));
  net_output_->inputs_.assign(values);
  net_output_->use_slots_.resize(values.size());
  for (size_t i = 0; i < values.size(); ++i) AddUse(values[i], net_output_, static_cast<int>(i));
  for (GraphObserver* o : module_->observers())
    for (size_t i = 0; i < std::max(before.size(), values.size()); ++i)
      o->OnInput(*net_output_, static_cast<int>(i), i < before.size() ? before[i] : nullptr);
}

Status Graph::EraseInput(int index) {
  if (index < 0 || index >= static_cast<int>(data_.size())) return InvalidArgument(StrCat("graph '", name_, "' has no input ", index));
  Node* node = data_[static_cast<size_t>(index)];
  if (!node->unused() || !node->control_outputs_.empty())
    return FailedPrecondition(StrCat("input ", index, " of graph '", name_, "' is still used"));
  for (GraphObserver* o : module_->observers()) o->OnErase(*node);
  data_.erase(data_.begin() + index);
  for (size_t i = 0; i < data_.size(); ++i) data_[i]->attrs_.Set("index", static_cast<int64_t>(i));
  Delete(node);
  return {};
}

Result<Node*> Graph::Create(NodeSpec spec, Node* before) {
  const OpDef* op = ops().Find(spec.op);
  if (!op) return InvalidArgument(StrCat("unknown operator '", spec.op, "'", spec.loc.empty() ? "" : StrCat(" (", spec.loc, ")")));
  const auto describe = [&] { return Describe(*op, spec.name, spec.loc); };
  spec.attrs.RemoveIf([&](const std::string& name, const Attr& value) {  // canonical: a default is not stored
    const AttrDef* def = op->FindAttr(name);
    return def && !def->required && (value.IsNone() || value == def->Default());
  });
  while (!spec.inputs.empty() && !spec.inputs.back() && op->num_inputs && static_cast<int>(spec.inputs.size()) > 0 &&
         op->inputs[std::min(spec.inputs.size(), static_cast<size_t>(op->num_inputs)) - 1].optional)
    spec.inputs.pop_back();  // canonical: trailing absent inputs are not stored
  if (auto errors = SignatureErrors(*op, spec.inputs, spec.attrs); !errors.empty())
    return InvalidArgument(StrCat(describe(), " ", errors[0].message));

  std::vector<ValueType> types = std::move(spec.types);
  if (op->infer) {
    std::vector<const ValueType*> in(spec.inputs.size());
    for (size_t i = 0; i < in.size(); ++i) in[i] = spec.inputs[i] ? &spec.inputs[i]->type() : nullptr;
    InferContext context{*op, in, spec.attrs, [&](int i) { return spec.inputs[static_cast<size_t>(i)]->producer()->const_value(); }};
    Result<std::vector<ValueType>> inferred = op->infer(context);
    if (!inferred.ok()) {
      Status s = std::move(inferred).status();
      return Status(s.code(), StrCat(describe(), ": ", s.message()));
    }
    if (types.empty()) {
      types = *std::move(inferred);
    } else {
      if (types.size() != inferred->size())
        return InvalidArgument(StrCat(describe(), " has ", inferred->size(), " results, ", types.size(), " types were given"));
      for (size_t i = 0; i < types.size(); ++i)
        if (!CompatibleType((*inferred)[i], types[i]))
          return InvalidArgument(
              StrCat(describe(), ": result ", i, " is given as ", ToString(types[i]), ", inferred as ", ToString((*inferred)[i])));
    }
  } else if (types.empty() && op->num_outputs && !op->outputs[op->num_outputs - 1u].variadic) {
    return InvalidArgument(StrCat(describe(), ": the result types must be given"));
  }

  Node* node = new (node_memory_.Allocate()) Node();
  node->op_ = op;
  node->graph_ = this;
  node->name_ = UniqueName(spec.name);
  node->loc_ = std::move(spec.loc);
  node->attrs_ = std::move(spec.attrs);
  node->inputs_.assign(spec.inputs);
  node->id_ = node_bound();
  by_id_.push_back(node);
  node->use_slots_.resize(node->inputs_.size());
  for (size_t i = 0; i < node->inputs_.size(); ++i) AddUse(node->inputs_[i], node, static_cast<int>(i));
  for (size_t i = 1; i < types.size(); ++i) node->more_outputs_.push_back(std::make_unique<Value>());
  node->num_outputs_ = static_cast<int>(types.size());
  for (int i = 0; i < node->num_outputs_; ++i) {
    Value& value = *node->output(i);
    value.producer_ = node;
    value.index_ = i;
    value.id_ = value_bound_++;
    value.type_ = std::move(types[static_cast<size_t>(i)]);
  }
  by_name_.Insert(NameHash(node->name_), node->id_);
  Link(node, before ? before : net_output_);
  for (GraphObserver* o : module_->observers()) o->OnCreate(*node);
  for (Node* first : spec.after) GE_RETURN_IF_ERROR(AddControlEdge(first, node));
  return node;
}

Node* Graph::CreateConst(Tensor value, Node* before, std::string name) {
  ValueType type = value.type();
  Result<Node*> node =
      Create({.op = "Const", .attrs = {{"value", std::move(value)}}, .name = std::move(name), .types = {std::move(type)}}, before);
  GE_CHECK(node.ok(), "the op table lacks Const");
  return *node;
}

Status Graph::ReplaceAllUses(Value* from, Value* to) {
  if (from == to) return {};
  if (!SameLogicalType(from->type(), to->type()))
    return InvalidArgument(StrCat("cannot replace a ", ToString(from->type()), " (", from->producer()->name(), ") by a ",
                                  ToString(to->type()), " (", to->producer()->name(), ")"));
  for (GraphObserver* o : module_->observers()) o->OnReplace(*from, *to);
  for (const Use& use : from->uses_) {
    use.user->inputs_[static_cast<size_t>(use.index)] = to;
    AddUse(to, use.user, use.index);
  }
  from->uses_.clear();
  return {};
}

Status Graph::SetInput(Node* node, int index, Value* value) {
  if (index < 0 || index >= node->num_inputs()) return InvalidArgument(StrCat("node '", node->name_, "' has no input ", index));
  if (value && !value->producer()->Before(*node))
    return InvalidArgument(StrCat("'", value->producer()->name(), "' does not come before its user '", node->name_, "'"));
  Value*& slot = node->inputs_[static_cast<size_t>(index)];
  if (slot == value) return {};
  Value* before = slot;
  DropUse(slot, node, index);
  slot = value;
  AddUse(value, node, index);
  for (GraphObserver* o : module_->observers()) o->OnInput(*node, index, before);
  return {};
}

void Graph::SetAttr(Node* node, std::string_view name, Attr value) {
  node->attrs_.Set(name, std::move(value));
  for (GraphObserver* o : module_->observers()) o->OnAttr(*node);
}
void Graph::RemoveAttr(Node* node, std::string_view name) {
  if (!node->attrs_.Remove(name)) return;
  for (GraphObserver* o : module_->observers()) o->OnAttr(*node);
}
void Graph::SetType(Value* value, ValueType type) {
  value->type_ = std::move(type);
  for (GraphObserver* o : module_->observers()) o->OnType(*value);
}

Status Graph::AddControlEdge(Node* first, Node* node) {
  if (first->graph_ != this || node->graph_ != this) return InvalidArgument("a control edge must stay inside one graph");
  if (!first->Before(*node))
    return InvalidArgument(StrCat("control edge from '", first->name_, "' to '", node->name_, "' would make a cycle"));
  if (std::find(node->control_inputs_.begin(), node->control_inputs_.end(), first) != node->control_inputs_.end()) return {};
  node->control_inputs_.push_back(first);
  first->control_outputs_.push_back(node);
  ++num_control_edges_;
  for (GraphObserver* o : module_->observers()) o->OnControl(*first, *node);
  return {};
}

void Graph::RemoveControlEdge(Node* first, Node* node) {
  if (!EraseOne(node->control_inputs_, first)) return;
  EraseOne(first->control_outputs_, node);
  --num_control_edges_;
  for (GraphObserver* o : module_->observers()) o->OnControl(*first, *node);
}

Status Graph::MoveControlEdges(Node* from, Node* to) {
  for (Node* n : std::vector<Node*>(from->control_inputs_)) {
    RemoveControlEdge(n, from);
    GE_RETURN_IF_ERROR(AddControlEdge(n, to));
  }
  for (Node* n : std::vector<Node*>(from->control_outputs_)) {
    RemoveControlEdge(from, n);
    GE_RETURN_IF_ERROR(AddControlEdge(to, n));
  }
  return {};
}

Status Graph::Erase(Node* node) {
  if (node == net_output_) return FailedPrecondition("NetOutput cannot be erased");
  if (node->Is("Data")) return FailedPrecondition("a Data node is erased with EraseInput");
  if (!node->unused()) return FailedPrecondition(StrCat("node '", node->name_, "' still has users"));
  if (!node->control_outputs_.empty()) return FailedPrecondition(StrCat("node '", node->name_, "' still has control outputs"));
  for (Node* n : std::vector<Node*>(node->control_inputs_)) RemoveControlEdge(n, node);
  for (GraphObserver* o : module_->observers()) o->OnErase(*node);
  for (size_t i = 0; i < node->inputs_.size(); ++i) DropUse(node->inputs_[i], node, static_cast<int>(i));
  Delete(node);
  return {};
}

void Graph::MoveBefore(Node* node, Node* before) {
  if (node == before || node->next_ == before) return;
  Unlink(node);
  Link(node, before);
}

Node* Graph::FindNode(std::string_view name) const {
  const int id = by_name_.Find(NameHash(name), [&](int i) { return by_id_[static_cast<size_t>(i)]->name_ == name; });
  return id < 0 ? nullptr : by_id_[static_cast<size_t>(id)];
}

// ---- Module ----

Result<Graph*> Module::AddGraph(std::string name) {
  if (Find(name)) return InvalidArgument(StrCat("there are two graphs named '", name, "'"));
  graphs_.push_back(std::make_unique<Graph>(std::move(name), *this));
  return graphs_.back().get();
}

Graph* Module::Find(std::string_view name) const {
  for (const auto& g : graphs_)
    if (g->name() == name) return g.get();
  return nullptr;
}

void Module::RemoveGraph(Graph* graph) {
  GE_CHECK(graph != graphs_.front().get(), "the entry graph cannot be removed");
  std::erase_if(graphs_, [&](const auto& g) { return g.get() == graph; });
}

void Module::RemoveObserver(GraphObserver* observer) { EraseOne(observers_, observer); }

std::unique_ptr<Module> Module::Clone() const {
  auto out = std::make_unique<Module>(*ops_);
  for (const auto& g : graphs_) {
    Graph* copy = *out->AddGraph(g->name());
    std::unordered_map<const Value*, Value*> values;  // look-up only
    std::unordered_map<const Node*, Node*> nodes;     // look-up only
    for (Node* n : g->nodes()) {
      std::vector<Value*> inputs;
      for (Value* v : n->inputs()) inputs.push_back(v ? values.at(v) : nullptr);
      Node* m;
      if (n->Is("Data")) {
        m = copy->AddInput(n->output()->type(), n->name());
        for (const auto& [k, v] : n->attrs()) copy->SetAttr(m, k, v);
      } else if (n == g->net_output()) {
        copy->SetOutputs(inputs);
        m = copy->net_output();
      } else {
        std::vector<ValueType> types;
        for (int i = 0; i < n->num_outputs(); ++i) types.push_back(n->output(i)->type());
        Result<Node*> r =
            copy->Create({.op = n->op().name, .inputs = inputs, .attrs = n->attrs(), .name = n->name(), .loc = n->loc(), .types = types});
        GE_CHECK(r.ok(), "a valid node cannot be copied");
        m = *r;
      }
      for (int i = 0; i < n->num_outputs(); ++i) values.emplace(n->output(i), m->output(i));
      for (Node* c : n->control_inputs()) GE_CHECK(copy->AddControlEdge(nodes.at(c), m).ok(), "control edge lost in a copy");
      nodes.emplace(n, m);
    }
  }
  return out;
}

}  // namespace ge
