#pragma once
// Module, Graph, Node, Value.
//
// Ownership: a Module owns its Graphs, a Graph its Nodes, a Node its output Values. Everything else holds raw
// pointers, valid until the node is erased. Every mutation goes through Graph, which keeps use lists, control edges
// and the skeleton right. The node list is always a topological order, control edges included, and effects happen in
// list order. Nothing here is thread-safe; a finished module is read-only and may be shared.
#include <iterator>
#include <unordered_map>

#include "ge_core/base/slab_pool.h"
#include "ge_core/base/small_vector.h"
#include "ge_core/ir/name_index.h"
#include "ge_core/ir/op_def.h"

namespace ge {

class Graph;
class Module;
class Node;
struct GraphTestPeer;  // tests only: breaks invariants on purpose, tests/ge_core/ir/verifier_test.cc

struct Use {
  Node* user;
  int index;
};

// Sweeps over large graphs wait for memory, so members stand in the order of use: what every pass reads shares a cache line.
class GE_API Value {
 public:
  using Uses = SmallVector<Use, 2>;  // a merge of two values then allocates nothing
  Node* producer() const { return producer_; }
  int index() const { return index_; }  // among the producer's outputs
  // Dense number, unique in its graph and never given again: < Graph::value_bound(). For side tables in vectors.
  int id() const { return id_; }
  const ValueType& type() const { return type_; }
  const Uses& uses() const { return uses_; }
  bool unused() const { return uses_.empty(); }

 private:
  friend class Graph;
  friend struct GraphTestPeer;
  Node* producer_ = nullptr;
  int index_ = 0, id_ = 0;
  Uses uses_;
  ValueType type_;
};

class GE_API Node {
 public:
  const OpDef& op() const { return *op_; }
  bool Is(std::string_view op_name) const { return op_->name == op_name; }
  // Dense number, unique in its graph and never given again: < Graph::node_bound(). For side tables in vectors.
  int id() const { return id_; }
  // Unique in its graph. Given by the importer, or generated.
  const std::string& name() const { return name_; }
  // "model.py:12", the Python source line; empty where unknown. Ignored by equality.
  const std::string& loc() const { return loc_; }
  Graph& graph() const { return *graph_; }

  // An absent optional input is null.
  const SmallVector<Value*, 2>& inputs() const { return inputs_; }
  Value* input(int i) const { return inputs_[static_cast<size_t>(i)]; }
  int num_inputs() const { return static_cast<int>(inputs_.size()); }
  int num_outputs() const { return num_outputs_; }
  Value* output(int i = 0) const { return i == 0 ? const_cast<Value*>(&first_output_) : more_outputs_[static_cast<size_t>(i - 1)].get(); }
  bool unused() const;  // no output has a use

  const AttrMap& attrs() const { return attrs_; }
  // Explicit value, else the OpDef's default, else None.
  Attr attr(std::string_view name) const;
  int64_t Int(std::string_view name) const;
  double Float(std::string_view name) const;
  bool Bool(std::string_view name) const;
  std::string Str(std::string_view name) const;
  std::vector<int64_t> Ints(std::string_view name) const;

  // Nodes that must have run before this one / that wait for this one.
  const SmallVector<Node*, 1>& control_inputs() const { return control_inputs_; }
  const SmallVector<Node*, 1>& control_outputs() const { return control_outputs_; }

  // The constant this node holds (Const, Constant), or null.
  const Tensor* const_value() const { return attrs_.Get<Tensor>("value"); }
  // May be removed when unused, merged with an equal node, and moved. A fallback node says so in its attribute "pure".
  bool pure() const;
  // Some output may share memory with some input. Fallback nodes: attribute "alias", default true.
  bool may_alias_inputs() const;

  Node* next() const { return next_; }
  Node* prev() const { return prev_; }
  // List order within one graph, O(1).
  bool Before(const Node& other) const { return order_ < other.order_; }

 private:
  friend class Graph;
  friend struct GraphTestPeer;
  Node() = default;
  const OpDef* op_ = nullptr;
  Node *prev_ = nullptr, *next_ = nullptr;
  int id_ = 0, num_outputs_ = 0;
  SmallVector<Value*, 2> inputs_;
  Graph* graph_ = nullptr;
  int64_t order_ = 0;  // increases along the list, with gaps for insertion
  AttrMap attrs_;
  SmallVector<Node*, 1> control_inputs_, control_outputs_;
  Value first_output_;                  // in place: most nodes have one. Unused where there is none
  SmallVector<uint32_t, 2> use_slots_;  // use_slots_[i]: where inputs_[i]->uses_ holds this use
  std::vector<std::unique_ptr<Value>> more_outputs_;
  std::string name_, loc_;
};

// Told of every mutation of every graph of a module while it is registered (Module::AddObserver): work lists, alias
// tables, logs of changes. Called with the graph in a valid state; must not mutate it.
class GE_API GraphObserver {
 public:
  virtual ~GraphObserver();
  virtual void OnCreate(Node&) {}
  // Before the node goes; its inputs are still there.
  virtual void OnErase(Node&) {}
  // Every use of `from` is about to become a use of `to`.
  virtual void OnReplace(Value& from, Value& to) {
    (void)from;
    (void)to;
  }
  // Input `index` of `node` was `before` and is now something else. Not called for uses moved by ReplaceAllUses.
  virtual void OnInput(Node& node, int index, Value* before) {
    (void)node;
    (void)index;
    (void)before;
  }
  virtual void OnAttr(Node&) {}
  virtual void OnType(Value&) {}
  virtual void OnControl(Node& first, Node& node) {  // an edge came or went
    (void)first;
    (void)node;
  }
};

class GE_API Graph {
 public:
  Graph(std::string name, Module& module);
  ~Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  const std::string& name() const { return name_; }
  Module& module() const { return *module_; }
  const OpTable& ops() const;

  // Nodes in topological order: for (Node* n : graph.nodes()). Do not erase the current node in such a loop; copy
  // with NodeList() first.
  class Iterator {
   public:
    explicit Iterator(Node* n) : n_(n) {}
    Node* operator*() const { return n_; }
    Iterator& operator++() {
      n_ = SweepNext(*n_);
      return *this;
    }
    bool operator!=(const Iterator& o) const { return n_ != o.n_; }

   private:
    Node* n_;
  };
  struct Range {
    Node* first;
    Iterator begin() const { return Iterator(first); }
    Iterator end() const { return Iterator(nullptr); }
  };
  Range nodes() const { return {first_}; }
  std::vector<Node*> NodeList() const;
  // node.next() / node.prev() for a walk over the whole list: also fetches what is likely to come (nodes mostly stand in the
  // order of their ids), since such a walk waits for memory. Only a hint: the order is the list's. Walks from the end carry facts
  // from readers to operands and seldom read more; what nobody reads is not fetched, for it would take as long again.
  static Node* SweepNext(const Node& node) {
    if (const Node* far = node.graph_->ById(node.id_ + 32)) {
      PrefetchHead(*far);
      __builtin_prefetch(&far->first_output_.type_.shape());
    }
    if (const Node* near = node.graph_->ById(node.id_ + 16)) {
      if (!near->attrs_.empty()) __builtin_prefetch(&*near->attrs_.begin());
      __builtin_prefetch(near->first_output_.type_.shape().data());
    }
    return node.next_;
  }
  static Node* SweepPrev(const Node& node) {
    if (const Node* far = node.graph_->ById(node.id_ - 32)) PrefetchHead(*far);
    return node.prev_;
  }
  size_t size() const { return size_; }
  Node* first() const { return first_; }
  Node* last() const { return last_; }
  // Nodes of an operator, and control edges, O(1): what a pass looks for may not be there at all.
  size_t CountOf(std::string_view op) const;
  size_t num_control_edges() const { return num_control_edges_; }
  int node_bound() const { return static_cast<int>(by_id_.size()); }
  int value_bound() const { return value_bound_; }

  // Skeleton. Data nodes carry index 0..n-1 in order; NetOutput is the last node, created by SetOutputs.
  Node* AddInput(ValueType type, std::string name = {});
  const std::vector<Node*>& inputs() const { return data_; }
  // Creates or rewires the one NetOutput.
  void SetOutputs(const std::vector<Value*>& values);
  Node* net_output() const { return net_output_; }  // null until SetOutputs
  // Erases an unused Data node and renumbers the rest.
  Status EraseInput(int index);

  struct NodeSpec {
    std::string_view op;
    std::vector<Value*> inputs;
    AttrMap attrs;
    std::string name;  // empty: generated
    std::string loc;
    // Types of the outputs. Empty: inferred. Given: checked against inference where the op has an infer function
    // (kind, dtype, rank and every pair of known dims must agree); layouts and symbolic dims are then kept as given.
    std::vector<ValueType> types;
    std::vector<Node*> after;
  };
  // Appends the node before NetOutput, or inserts it before `before`. Fails on an unknown op, wrong arity, unknown or
  // missing attribute, a dtype outside the port's set, or an inference error; the message names node and source line.
  // Attributes that equal the OpDef's default are dropped.
  Result<Node*> Create(NodeSpec spec, Node* before = nullptr);
  Node* CreateConst(Tensor value, Node* before = nullptr, std::string name = {});

  // Points every use of `from` at `to`, NetOutput included. Kind, dtype and shape must agree; an order of the list in
  // which `to` comes after a user of `from` is the caller's mistake.
  Status ReplaceAllUses(Value* from, Value* to);
  Status SetInput(Node* node, int index, Value* value);  // value may be null for an optional port
  void SetAttr(Node* node, std::string_view name, Attr value);
  void RemoveAttr(Node* node, std::string_view name);
  void SetType(Value* value, ValueType type);
  void SetLoc(Node* node, std::string loc) { node->loc_ = std::move(loc); }
  // `node` waits for `first`. Refused if it would make a cycle in list order (first must come before node).
  Status AddControlEdge(Node* first, Node* node);
  void RemoveControlEdge(Node* first, Node* node);
  // Gives every control input of `from` to `to`, and makes every control output of `from` wait for `to` instead.
  Status MoveControlEdges(Node* from, Node* to);
  // Removes a node without users and without control outputs. Data: use EraseInput. NetOutput: refused.
  Status Erase(Node* node);
  // Moves a node in the list. The caller keeps the order topological.
  void MoveBefore(Node* node, Node* before);

  Node* FindNode(std::string_view name) const;

 private:
  friend class Module;
  friend struct GraphTestPeer;
  std::string UniqueName(std::string_view wish);
  // The node of this id; null if there is none, or no more.
  Node* ById(int id) const { return static_cast<size_t>(id) < by_id_.size() ? by_id_[static_cast<size_t>(id)] : nullptr; }
  static void PrefetchHead(const Node& node) {
    __builtin_prefetch(&node);
    __builtin_prefetch(&node.order_);
    __builtin_prefetch(&node.first_output_);
  }
  void Delete(Node* node);
  void Link(Node* node, Node* before);
  void Unlink(Node* node);
  void Relabel(Node* node);
  void AddUse(Value* value, Node* user, int index);
  void DropUse(Value* value, Node* user, int index);
  std::string name_;
  Module* module_;
  SlabPool node_memory_;
  Node *first_ = nullptr, *last_ = nullptr, *net_output_ = nullptr;
  size_t size_ = 0, num_control_edges_ = 0;
  std::unordered_map<const OpDef*, size_t> op_counts_;  // look-up only
  std::vector<Node*> data_;
  NameIndex by_name_;         // of Node::name_
  std::vector<Node*> by_id_;  // null where the node is gone
  int64_t next_name_ = 0;
  int value_bound_ = 0;
};

// A compilation unit: the entry graph and the subgraphs it names by GraphRef attributes.
class GE_API Module {
 public:
  explicit Module(const OpTable& ops) : ops_(&ops) {}
  const OpTable& ops() const { return *ops_; }
  // Fails if the name is taken. The first graph added is the entry.
  Result<Graph*> AddGraph(std::string name);
  Graph* Find(std::string_view name) const;
  Graph& entry() const { return *graphs_.front(); }
  const std::vector<std::unique_ptr<Graph>>& graphs() const { return graphs_; }
  // Removes a subgraph that no node refers to any more.
  void RemoveGraph(Graph* graph);
  std::unique_ptr<Module> Clone() const;
  // Borrowed; told of mutations in the order of registration.
  void AddObserver(GraphObserver* observer) { observers_.push_back(observer); }
  void RemoveObserver(GraphObserver* observer);
  std::span<GraphObserver* const> observers() const { return observers_; }

 private:
  const OpTable* ops_;
  std::vector<GraphObserver*> observers_;
  std::vector<std::unique_ptr<Graph>> graphs_;
};

}  // namespace ge
