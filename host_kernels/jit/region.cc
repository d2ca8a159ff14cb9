#include "host_kernels/jit/region.h"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>

#include "host_kernels/jit/ops.h"

namespace ge::jit {
namespace {

Status Refuse(std::string why) { return Unimplemented("JIT engine: " + std::move(why)); }

std::optional<ElementType> ElementTypeOf(DType t) {
  if (t == DType::kF32) return ElementType::kF32;
  if (t == DType::kBool) return ElementType::kBool;
  return std::nullopt;
}

// Static, non-empty f32 or bool tensor whose strides are known numbers.
Status CheckType(std::string_view what, const ValueType& t) {
  if (!t.IsTensor() || !t.IsStatic()) return Refuse(StrCat(what, " is no tensor of static shape: ", ToString(t)));
  if (!ElementTypeOf(t.dtype())) return Refuse(StrCat(what, " has dtype ", Name(t.dtype()), "; f32 and bool are supported"));
  if (t.layout.kind == StorageLayout::Kind::kPacked) return Refuse(StrCat(what, " is packed: ", ToString(t)));
  for (const Dim& s : t.layout.strides) {
    if (!s.IsConst()) return Refuse(StrCat(what, " has symbolic strides: ", ToString(t)));
  }
  return {};
}

// Builds the iteration space from the output type, and every input's walk through it.
class Space {
 public:
  // Axes from outermost to innermost in memory, so that a dense permuted output (channels last) is walked in order.
  static Result<Space> Of(const ValueType& y) {
    Space space;
    for (const Dim& d : y.shape()) space.shape_.push_back(d.value());
    for (const Dim& d : y.Strides()) space.strides_.push_back(d.value());
    for (int64_t d : space.shape_) {
      if (d == 0) return Refuse("the output is empty: " + ToString(y));
    }
    space.order_.resize(space.shape_.size());
    std::iota(space.order_.begin(), space.order_.end(), size_t{0});
    std::ranges::stable_sort(space.order_, std::greater<>(), [&](size_t i) { return space.strides_[i]; });
    int64_t expected = 1;
    for (size_t k = space.order_.size(); k-- > 0;) {
      const size_t i = space.order_[k];
      if (space.shape_[i] == 1) continue;
      if (space.strides_[i] != expected) return Refuse("the output is not dense: " + ToString(y));
      expected *= space.shape_[i];
    }
    return space;
  }
  bool SameWalk(const ValueType& t) const {
    if (t.shape().size() != shape_.size()) return false;
    const auto strides = t.Strides();
    for (size_t i = 0; i < shape_.size(); ++i) {
      if (!t.shape()[i].Is(shape_[i]) || (shape_[i] != 1 && !strides[i].Is(strides_[i]))) return false;
    }
    return true;
  }
  // Strides of an input along the ordered axes, 0 where it is broadcast.
  Result<std::vector<int64_t>> Walk(const ValueType& t) const {
    const size_t rank = shape_.size(), own = t.shape().size();
    if (own > rank) return Refuse("an input has more axes than the output: " + ToString(t));
    const auto strides = t.Strides();
    std::vector<int64_t> walk;
    for (size_t i : order_) {
      if (i < rank - own) {
        walk.push_back(0);
        continue;
      }
      const size_t j = i - (rank - own);
      if (t.shape()[j].Is(1)) {
        walk.push_back(0);
      } else if (t.shape()[j].Is(shape_[i])) {
        walk.push_back(strides[j].value());
      } else {
        return Refuse(StrCat("an input does not broadcast to the output: ", ToString(t)));
      }
    }
    return walk;
  }
  std::vector<int64_t> OrderedDims() const {
    std::vector<int64_t> dims;
    for (size_t i : order_) dims.push_back(shape_[i]);
    return dims;
  }

 private:
  std::vector<int64_t> shape_, strides_;
  std::vector<size_t> order_;
};

// Joins axis k with k+1 wherever every input steps through both as through one; drops axes of extent 1.
void Collapse(Region& region) {
  std::vector<int64_t> dims;
  std::vector<std::vector<int64_t>> walks(region.inputs.size());
  for (size_t k = 0; k < region.dims.size(); ++k) {
    if (region.dims[k] == 1) continue;
    bool join = !dims.empty();
    for (size_t i = 0; i < walks.size() && join; ++i) join = walks[i].back() == region.inputs[i].strides[k] * region.dims[k];
    if (join)
      dims.back() *= region.dims[k];
    else
      dims.push_back(region.dims[k]);
    for (size_t i = 0; i < walks.size(); ++i) {
      if (!join) walks[i].push_back(0);
      walks[i].back() = region.inputs[i].strides[k];
    }
  }
  if (dims.empty()) {
    dims = {1};
    for (auto& w : walks) w = {0};
  }
  region.dims = std::move(dims);
  for (size_t i = 0; i < walks.size(); ++i) region.inputs[i].strides = std::move(walks[i]);
}

// Appends the node's instruction to the region, preceded by those for operands that are numbers. `number` gives the
// region's number of an operand's value.
template <typename Number>
Status ReadInstruction(const Node& node, const Space& space, Region& region, Number&& number) {
  Instruction instruction{FindOp(node.op().name), {}, {}, false};
  const std::string_view name = node.op().name;
  if (!instruction.op) return Refuse(StrCat("no code for ", name));
  const OpRow& row = *instruction.op;
  const size_t n = row.num_operands();
  for (size_t i = 0; i < std::max(n, node.inputs().size()); ++i) {
    const Value* v = i < node.inputs().size() ? node.inputs()[i] : nullptr;
    if (v && i >= n) return Refuse(StrCat(name, ": expected at most ", n, " operands"));
    if (v) {
      GE_RETURN_IF_ERROR(CheckType(StrCat(name, " input ", i), v->type()));
      if (*ElementTypeOf(v->type().dtype()) != row.operand(i))
        return Refuse(StrCat(name, ": input ", i, " has dtype ", Name(v->type().dtype())));
      instruction.operands.push_back(number(v, i));
    } else if (i < n) {
      const Attr scalar = node.attr("scalar");
      const auto value = row.operand(i) != ElementType::kF32 ? std::nullopt : row.absent ? row.absent(node, i) : scalar.AsDouble();
      if (!value) return Refuse(StrCat(name, ": operand ", i, " is absent, and no number stands for it"));
      instruction.operands.push_back(region.num_values());
      region.instructions.push_back({&kConstantRow, {}, {*value}, false});
    }
  }
  if (node.num_outputs() != 1) return Refuse(StrCat(name, ": expected one output"));
  const ValueType& y = node.output()->type();
  GE_RETURN_IF_ERROR(CheckType(StrCat(name, " output"), y));
  if (*ElementTypeOf(y.dtype()) != row.result()) return Refuse(StrCat(name, ": output has dtype ", Name(y.dtype())));
  if (!space.SameWalk(y)) return Refuse(StrCat(name, ": output ", ToString(y), " is not walked like the region's"));
  std::string_view names = row.parameters;
  while (!names.empty()) {
    const std::string_view parameter = names.substr(0, names.find(','));
    names.remove_prefix(std::min(names.size(), parameter.size() + 1));
    const auto value = node.attr(parameter).AsDouble();
    if (!value) return Refuse(StrCat(name, ": attribute ", parameter, " is no number"));
    instruction.parameters.push_back(*value);
  }
  if (row.read) {
    if (std::string why = row.read(node, instruction); !why.empty()) return Refuse(StrCat(name, ": ", why));
  }
  region.instructions.push_back(std::move(instruction));
  return {};
}

Result<RegionInput> ReadInput(size_t slot, const ValueType& type, const Space& space) {
  GE_RETURN_IF_ERROR(CheckType("an input", type));
  GE_ASSIGN_OR_RETURN(std::vector<int64_t> walk, space.Walk(type));
  return RegionInput{static_cast<int>(slot), *ElementTypeOf(type.dtype()), std::move(walk)};
}

Result<Region> Finish(Region region, const Space& space) {
  if (region.instructions.empty()) return Refuse("the region has no instruction");
  if (region.instructions.size() > kMaxInstructions) return Refuse(StrCat("the region has more than ", kMaxInstructions, " instructions"));
  if (region.inputs.size() + region.outputs.size() > kMaxOperands)
    return Refuse(StrCat("the region has more than ", kMaxOperands, " operands"));
  region.dims = space.OrderedDims();
  for (int64_t d : region.dims) region.num_elements *= d;
  Collapse(region);
  if (region.dims.size() > kMaxAxes) return Refuse(StrCat("the loop has more than ", kMaxAxes, " axes"));
  for (const RegionInput& input : region.inputs) {
    if (input.strides.back() != 0 && input.strides.back() != 1)
      return Refuse(StrCat("an input is walked with stride ", input.strides.back(), " innermost"));
  }
  return region;
}

}  // namespace

ElementType Region::TypeOf(int value) const {
  const size_t v = static_cast<size_t>(value);
  return v < inputs.size() ? inputs[v].type : instructions[v - inputs.size()].op->result();
}

std::string Region::Key() const {
  std::string key;
  for (const RegionInput& i : inputs) key += StrCat(i.type == ElementType::kBool ? "b" : "f", i.strides.back(), " ");
  for (const Instruction& i : instructions) {
    StrAppend(key, StrCat(i.op->op, "(", Join(i.operands, ","), ")"));
    // Bit patterns: a NaN or -0.0 parameter is a parameter of its own.
    for (double p : i.parameters) key += StrCat("{", std::bit_cast<uint64_t>(p), "}");
    key += i.flag ? "! " : " ";
  }
  return key + "-> " + Join(outputs, ",");
}

Result<Region> ReadRegion(const Node& node) {
  if (node.num_outputs() < 1) return Refuse("the node has no output");
  for (int i = 0; i < node.num_outputs(); ++i) GE_RETURN_IF_ERROR(CheckType(StrCat("output ", i), node.output(i)->type()));
  GE_ASSIGN_OR_RETURN(const Space space, Space::Of(node.output()->type()));
  Region region;
  std::vector<int> number_of_slot(node.inputs().size(), -1);
  for (size_t i = 0; i < node.inputs().size(); ++i) {
    if (!node.inputs()[i]) continue;
    GE_ASSIGN_OR_RETURN(RegionInput input, ReadInput(i, node.inputs()[i]->type(), space));
    number_of_slot[i] = static_cast<int>(region.inputs.size());
    region.inputs.push_back(std::move(input));
  }

  if (!node.Is("FusedRegion")) {
    GE_RETURN_IF_ERROR(ReadInstruction(node, space, region, [&](const Value*, size_t slot) { return number_of_slot[slot]; }));
    region.outputs = {region.num_values() - 1};
    return Finish(std::move(region), space);
  }

  const auto* ref = node.attrs().Get<Attr::GraphRef>("body");
  const Graph* body = ref ? node.graph().module().Find(ref->name) : nullptr;
  if (!body || !body->net_output()) return Refuse("attribute 'body' names no complete graph of the module");
  if (body->inputs().size() != node.inputs().size())
    return Refuse(StrCat("the body has ", body->inputs().size(), " inputs, the node ", node.inputs().size()));
  std::map<const Value*, int> number;  // looked up only
  for (size_t i = 0; i < body->inputs().size(); ++i) {
    const Value* v = body->inputs()[i]->output();
    if (!node.inputs()[i]) return Refuse(StrCat("input ", i, " is absent"));
    if (!SameLogicalType(v->type(), node.inputs()[i]->type()))
      return Refuse(StrCat("input ", i, " of the body differs in type from the node's"));
    number[v] = static_cast<int>(i);
  }
  for (const Node* n : body->nodes()) {
    if (n->Is("Data") || n == body->net_output()) continue;
    GE_RETURN_IF_ERROR(ReadInstruction(*n, space, region, [&](const Value* v, size_t) { return number.at(v); }));
    number[n->output()] = region.num_values() - 1;
  }
  const auto& results = body->net_output()->inputs();
  if (results.size() != static_cast<size_t>(node.num_outputs())) return Refuse("the body's outputs are not the node's");
  for (size_t i = 0; i < results.size(); ++i) {
    const int value = number.at(results[i]);
    if (value < node.num_inputs()) return Refuse("the body returns an input unchanged");
    if (!SameLogicalType(results[i]->type(), node.output(static_cast<int>(i))->type()) ||
        !space.SameWalk(node.output(static_cast<int>(i))->type())) {
      return Refuse(StrCat("output ", i, " of the body differs in type from the node's"));
    }
    region.outputs.push_back(value);
  }
  return Finish(std::move(region), space);
}

}  // namespace ge::jit
