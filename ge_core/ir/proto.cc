#include "ge_core/ir/proto.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/stubs/logging.h>

#include <charconv>
#include <limits>

#include "ge_core/base/str.h"
#include "ge_core/ir/proto_value.h"
#include "ge_core/ir/verifier.h"

namespace ge {
namespace {

constexpr uint32_t kVersion = 1;

// protobuf's string fields must be UTF-8, or readers refuse the file.
bool IsUtf8(std::string_view s) {
  for (size_t i = 0; i < s.size();) {
    const auto c = static_cast<unsigned char>(s[i]);
    const int more = c < 0x80 ? 0 : c >= 0xc2 && c < 0xe0 ? 1 : c >= 0xe0 && c < 0xf0 ? 2 : c >= 0xf0 && c < 0xf5 ? 3 : -1;
    if (more < 0 || i + static_cast<size_t>(more) >= s.size()) return false;
    uint32_t code = more ? c & (0x3fu >> more) : c;
    for (int k = 1; k <= more; ++k) {
      const auto d = static_cast<unsigned char>(s[i + static_cast<size_t>(k)]);
      if ((d & 0xc0) != 0x80) return false;
      code = code << 6 | (d & 0x3f);
    }
    if ((more == 2 && (code < 0x800 || (code >= 0xd800 && code < 0xe000))) || (more == 3 && (code < 0x10000 || code > 0x10ffff)))
      return false;
    i += static_cast<size_t>(more) + 1;
  }
  return true;
}

Status CheckName(std::string_view name) {
  return IsUtf8(name) ? Status() : InvalidArgument(StrCat("the name ", ToString(Attr(name)), " is not UTF-8 and cannot be serialised"));
}

std::string Ref(const Value* v) { return v ? StrCat(v->producer()->name(), ":", v->index()) : std::string(); }

void CollectGraphs(const Attr& a, proto::OpDef* out) {
  if (auto* g = a.Get<Attr::GraphRef>()) out->add_subgraph_name(g->name);
  if (auto* list = a.Get<Attr::List>())
    for (const Attr& item : *list) CollectGraphs(item, out);
}

Status WriteNode(const Node& n, int64_t id, proto::OpDef* out) {
  GE_RETURN_IF_ERROR(CheckName(n.name()));
  out->set_name(n.name());
  out->set_type(std::string(n.op().name));
  out->set_id(id);
  for (const Value* v : n.inputs()) {
    out->add_input(Ref(v));
    wire::WriteType(v ? v->type() : ValueType::Opaque(), false, out->add_input_desc());
  }
  for (const Node* c : n.control_inputs()) out->add_input(StrCat(c->name(), ":-1"));
  for (int i = 0; i < n.num_outputs(); ++i) wire::WriteType(n.output(i)->type(), true, out->add_output_desc());
  for (const auto& [name, value] : n.attrs()) {
    GE_RETURN_IF_ERROR(CheckName(name));
    wire::WriteAttr(name, value, out->mutable_attr());
    if (auto* g = value.Get<Attr::GraphRef>()) GE_RETURN_IF_ERROR(CheckName(g->name));
    CollectGraphs(value, out);
  }
  for (const std::string& name : out->subgraph_name()) GE_RETURN_IF_ERROR(CheckName(name));
  if (!n.loc().empty()) (*out->mutable_attr())[std::string(wire::kLoc)].set_s(n.loc());
  return {};
}

Status WriteGraph(const Graph& g, proto::GraphDef* out) {
  GE_RETURN_IF_ERROR(CheckName(g.name()));
  out->set_name(g.name());
  int64_t id = 0;
  for (Node* n : g.nodes()) GE_RETURN_IF_ERROR(WriteNode(*n, id++, out->add_op()));
  for (const Node* d : g.inputs()) out->add_input(Ref(d->output()));
  if (g.net_output())
    for (const Value* v : g.net_output()->inputs()) out->add_output(Ref(v));
  return {};
}

class GraphReader {
 public:
  GraphReader(const proto::GraphDef& def, Graph* graph) : def_(def), graph_(graph) {}

  Status Run() {
    for (const proto::OpDef& op : def_.op())
      if (Status s = ReadNode(op); !s.ok())
        return std::move(s).Annotate(StrCat("in node '", op.name(), "' (", op.type(), ") of graph '", def_.name(), "'"));
    if (!graph_->net_output()) return InvalidArgument(StrCat("graph '", def_.name(), "' has no NetOutput"));
    return {};
  }

 private:
  Status ReadInputs(const proto::OpDef& op, Graph::NodeSpec* spec) {
    for (const std::string& ref : op.input()) {
      if (ref.empty()) {
        spec->inputs.push_back(nullptr);
        continue;
      }
      const size_t colon = ref.rfind(':');
      int index = 0;
      const char* end = ref.data() + ref.size();
      const auto r = colon == std::string::npos ? std::from_chars_result{end, std::errc::invalid_argument}
                                                : std::from_chars(ref.data() + colon + 1, end, index);
      if (r.ec != std::errc() || r.ptr != end || index < -1)
        return InvalidArgument(StrCat("input '", ref, "'; expected \"producer:index\""));
      Node* producer = graph_->FindNode(ref.substr(0, colon));
      if (!producer) return InvalidArgument(StrCat("input '", ref, "' names no node before this one"));
      if (index == -1)
        spec->after.push_back(producer);
      else if (index >= producer->num_outputs())
        return InvalidArgument(StrCat("input '", ref, "': the producer has ", producer->num_outputs(), " results"));
      else
        spec->inputs.push_back(producer->output(index));
    }
    return {};
  }

  Status ReadNode(const proto::OpDef& op) {
    if (op.name().empty()) return InvalidArgument("the node has no name");
    if (graph_->FindNode(op.name())) return InvalidArgument("another node has the same name");
    Graph::NodeSpec spec;
    spec.op = op.type();
    spec.name = op.name();
    GE_RETURN_IF_ERROR(ReadInputs(op, &spec));
    GE_ASSIGN_OR_RETURN(spec.attrs, wire::ReadAttrs(op.attr()));
    if (auto it = op.attr().find(std::string(wire::kLoc)); it != op.attr().end()) spec.loc = it->second.s();
    for (const auto& desc : op.output_desc()) {
      GE_ASSIGN_OR_RETURN(ValueType type, wire::ReadType(desc));
      spec.types.push_back(std::move(type));
    }
    const bool skeleton = spec.op == "Data" || spec.op == "NetOutput";
    Result<Node*> node = skeleton ? ReadSkeleton(spec) : graph_->Create(std::move(spec));
    return std::move(node).status();
  }

  // Data and NetOutput; the verifier checks their attributes afterwards.
  Result<Node*> ReadSkeleton(Graph::NodeSpec& spec) {
    Node* node;
    if (spec.op == "Data") {
      if (spec.types.size() != 1 || !spec.inputs.empty())
        return InvalidArgument(StrCat("Data has no input and one result, found ", spec.inputs.size(), " and ", spec.types.size()));
      node = graph_->AddInput(std::move(spec.types[0]), spec.name);
    } else {
      if (graph_->net_output()) return InvalidArgument("a second NetOutput");
      for (const Value* v : spec.inputs)
        if (!v) return InvalidArgument("a result of the graph is absent");
      graph_->SetOutputs(spec.inputs);
      node = graph_->net_output();
    }
    for (const auto& [name, value] : spec.attrs) graph_->SetAttr(node, name, value);
    graph_->SetLoc(node, spec.loc);
    for (Node* first : spec.after) GE_RETURN_IF_ERROR(graph_->AddControlEdge(first, node));
    return node;
  }

  const proto::GraphDef& def_;
  Graph* graph_;
};

}  // namespace

Result<std::string> Serialize(const Module& module) {
  google::protobuf::LogSilencer silencer;  // errors are returned, not printed
  proto::ModelDef model;
  model.set_name("torch_ge");
  model.set_version(kVersion);
  for (const auto& g : module.graphs()) GE_RETURN_IF_ERROR(WriteGraph(*g, model.add_graph()));
  if (model.ByteSizeLong() > static_cast<size_t>(std::numeric_limits<int>::max()))
    return Unimplemented(
        StrCat("the serialised graph has ", model.ByteSizeLong(), " bytes; protobuf ends at 2 GiB: keep large weights outside the graph"));
  std::string bytes;
  {
    google::protobuf::io::StringOutputStream stream(&bytes);
    google::protobuf::io::CodedOutputStream coded(&stream);
    coded.SetSerializationDeterministic(true);
    if (!model.SerializeToCodedStream(&coded)) return Internal("protobuf could not write the graph");
  }
  return bytes;
}

Result<std::unique_ptr<Module>> Deserialize(std::string_view bytes, const OpTable& ops) {
  google::protobuf::LogSilencer silencer;
  proto::ModelDef model;
  if (bytes.size() > static_cast<size_t>(std::numeric_limits<int>::max()) ||
      !model.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
    return InvalidArgument(StrCat("these ", bytes.size(), " bytes are not a ge.proto.ModelDef"));
  if (model.graph().empty()) return InvalidArgument("the ModelDef holds no graph");
  auto module = std::make_unique<Module>(ops);
  for (const proto::GraphDef& def : model.graph()) {
    GE_ASSIGN_OR_RETURN(Graph * graph, module->AddGraph(def.name()));
    GE_RETURN_IF_ERROR(GraphReader(def, graph).Run());
  }
  if (Status s = Verify(*module); !s.ok()) return InvalidArgument(s.message());
  return module;
}

}  // namespace ge
