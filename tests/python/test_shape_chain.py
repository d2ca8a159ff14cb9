"""A model that computes shapes with torch operators: same answers as eager, and nothing of it left for a static input."""

from collections import Counter

import pytest
import torch

import torch_ge
from torch_ge.testing import assert_same_as_eager

FOLDING = ["true", "false"]
# Operators that say something about shapes, or compute on what was said.
SHAPE_NODES = {"Shape", "ShapeN", "Size", "Rank", "SymSize", "SymCompute", "SymToTensor", "aten::scalar_tensor"}


class ShapeChain(torch.nn.Module):
    """Heads are split and joined by computed sizes; extents take part in the arithmetic as tensors, too."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = torch.nn.Linear(12, 12)

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        batch, length, width = x.size(0), x.size(1), x.size(2)
        heads = self.linear(x).view(batch, length, 2, width // 2).transpose(1, 2)
        joined = torch.relu(heads).transpose(1, 2).reshape(batch, -1)
        extents = torch.tensor(x.shape)
        total = extents.prod()
        pairs = torch.cat([extents[:1], extents[1:].prod(0, keepdim=True)])
        return joined.view(batch * length, width) / total, pairs, joined.new_full((x.numel() // width,), length + 0.5)


@pytest.fixture
def model() -> torch.nn.Module:
    torch._dynamo.reset()  # what other sizes have been seen must not make this one dynamic
    torch.manual_seed(3)
    return ShapeChain().eval()


@pytest.mark.parametrize("folding", FOLDING)
@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize("batch", [1, 3])
def test_same_as_eager(model, batch, dynamic, folding):
    with torch.no_grad():
        assert_same_as_eager(model, torch.randn(batch, 5, 12), dynamic=dynamic, options={"ge.oo.constantFolding": folding})


@pytest.mark.parametrize("folding", FOLDING)
def test_one_dynamic_model_serves_many_batches(model, folding):
    compiled = torch.compile(model, backend="ge", dynamic=True, options={"ge.oo.constantFolding": folding})
    with torch.no_grad():
        for batch in (2, 7, 3):
            x = torch.randn(batch, 5, 12)
            for got, want in zip(compiled(x), model(x), strict=True):
                torch.testing.assert_close(got, want)


def test_a_static_input_leaves_no_shape_node(model):
    with torch.no_grad():
        report = torch_ge.explain(model, torch.randn(2, 5, 12))
    types = Counter()
    for graph in report.graphs:
        types.update(graph.node_types)
    assert types, report
    assert not SHAPE_NODES & types.keys(), report
