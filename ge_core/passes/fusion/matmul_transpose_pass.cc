#include "ge_core/passes/fusion/matmul_transpose_pass.h"
#include "ge_core/passes/pass_def.h"

namespace ge {
namespace {

// The matrix whose swapped axes `value` is, or null.
Value* SwappedMatrix(const Value* value) {
  const Node& node = *value->producer();
  if (!node.Is("Transpose") || !node.control_inputs().empty()) return nullptr;
  Value* x = node.input(0);
  if (!x->type().IsTensor() || x->type().rank() != 2) return nullptr;
  std::vector<int64_t> perm;
  if (node.num_inputs() > 1 && node.input(1)) {
    const Tensor* constant = node.input(1)->producer()->const_value();
    if (!constant || constant->num_elements() != 2) return nullptr;
    for (int i = 0; i < 2; ++i) {
      if (constant->dtype() == DType::kI64)
        perm.push_back(constant->data<int64_t>()[i]);
      else if (constant->dtype() == DType::kI32)
        perm.push_back(constant->data<int32_t>()[i]);
      else
        return nullptr;
    }
    for (int64_t& p : perm) p = p < 0 ? p + 2 : p;
    return perm == std::vector<int64_t>{1, 0} ? x : nullptr;
  }
  const Attr a = node.attr("dim0"), b = node.attr("dim1");
  if (a.IsNone() && b.IsNone()) return x;  // a matrix transposed
  const int64_t *i = a.Get<int64_t>(), *j = b.Get<int64_t>();
  return i && j && (*i - *j) % 2 != 0 ? x : nullptr;
}

}  // namespace

REG_PASS_OPTION(MatmulTransposePass)
    .Name("matmul-transpose")
    .Doc("A matrix product reads a transposed operand itself.")
    .Levels(OptLevel::kO2)
    .Make<MatmulTransposePass>();

Result<bool> MatmulTransposePass::Run(Graph& graph) {
  if (graph.CountOf("MatMulV2") == 0) return false;
  bool changed = false;
  for (Node* node : graph.NodeList()) {
    if (!node->Is("MatMulV2")) continue;
    bool transposed[2] = {node->Bool("transpose_x1"), node->Bool("transpose_x2")};
    std::vector<Value*> inputs = node->inputs();
    bool any = false;
    for (size_t i = 2; i-- > 0;) {  // the weight first
      while (Value* matrix = SwappedMatrix(inputs[i])) {
        // Leading axes of x1 are allowed in the F.linear form only.
        if (i == 1 && transposed[1] && inputs[0]->type().rank() != 2) break;
        inputs[i] = matrix;
        transposed[i] = !transposed[i];
        any = true;
      }
    }
    if (!any) continue;
    AttrMap attrs = node->attrs();
    attrs.Set("transpose_x1", transposed[0]);
    attrs.Set("transpose_x2", transposed[1]);
    GE_ASSIGN_OR_RETURN(Node* const product, graph.Create({.op = node->op().name,
                                                           .inputs = std::move(inputs),
                                                           .attrs = std::move(attrs),
                                                           .name = {},
                                                           .loc = node->loc(),
                                                           .types = {node->output()->type()},
                                                           .after = {}},
                                                          node));
    GE_RETURN_IF_ERROR(graph.MoveControlEdges(node, product));
    GE_RETURN_IF_ERROR(graph.ReplaceAllUses(node->output(), product->output()));
    GE_RETURN_IF_ERROR(graph.Erase(node));
    changed = true;
  }
  return changed;
}

}  // namespace ge
