"""torch_ge.no_fold and ge.fold.keep: the node stays a computation, and nothing else changes."""

import pytest
import torch

import torch_ge
from torch_ge.testing import assert_same_as_eager

pytestmark = pytest.mark.ge_only


def plain(x):
    return x + torch.erfinv(torch.full((4,), 0.5))


def kept(x):
    return x + torch_ge.no_fold(torch.erfinv(torch.full((4,), 0.5)))


def only(model, *args, **options):
    [graph] = torch_ge.explain(model, *args, options=options or None).graphs
    return graph


def test_in_eager_it_is_the_identity():
    x = torch.ones(3)
    assert torch_ge.no_fold(x) is x


@pytest.mark.parametrize("options", [{}, {"ge.oo.level": "O1"}])
def test_the_node_stays(options):
    x = torch.ones(4)
    with torch.no_grad():
        assert "Erfinv" not in only(plain, x, **options).node_types
        graph = only(kept, x, **options)
    assert graph.node_types["Erfinv"] == 1
    assert "attribute _do_not_constant_folding is set" in graph.node("erfinv").why()
    assert_same_as_eager(kept, x, options=options)


def test_a_name_pattern_does_the_same():
    with torch.no_grad():
        graph = only(plain, torch.ones(4), **{"ge.fold.keep": "erf*"})
    assert graph.node_types["Erfinv"] == 1
    assert "its name matches 'erf*' of ge.fold.keep" in graph.node("erfinv").why()


def test_a_constant_and_an_input_become_a_marked_copy():
    def constant(x):
        return x * torch_ge.no_fold(torch.tensor([2.0, 3.0])).sqrt()

    x = torch.ones(2)
    with torch.no_grad():
        graph = only(constant, x)
        assert graph.node_types["Sqrt"] == 1 and graph.node_types["TensorMove"] == 1
        assert only(lambda x: torch_ge.no_fold(x) + 1, x).node_types["TensorMove"] == 1
    assert_same_as_eager(constant, x)
    assert_same_as_eager(lambda x: torch_ge.no_fold(x) + 1, x)


@pytest.mark.parametrize("train", [False, True])
def test_under_autograd(train):
    class Model(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.linear = torch.nn.Linear(4, 4)

        def forward(self, x):
            return torch_ge.no_fold(self.linear(torch_ge.no_fold(x))).relu()

    assert_same_as_eager(Model(), torch.randn(3, 4, requires_grad=train), train=train)


def test_the_operator_itself():
    x = torch.randn(3, 4).t()
    op = torch.ops.torch_ge.no_fold
    torch.library.opcheck(op, (x,))
    torch.library.opcheck(op, (x.clone().requires_grad_(),))
    assert torch.equal(torch.vmap(op)(x), x)


def test_export_and_direct_compile():
    class Model(torch.nn.Module):
        def forward(self, x):
            return kept(x)

    program = torch.export.export(Model(), (torch.ones(4),))
    assert any(n.target is torch.ops.torch_ge.no_fold.default for n in program.graph.nodes)
    compiled = torch_ge.compile(Model(), torch.ones(4))
    assert "Erfinv" in compiled.text
    assert torch.equal(compiled(torch.ones(4)), plain(torch.ones(4)))


def test_old_values_of_written_inputs():
    def program(x):
        y = torch_ge.no_fold(x * 2)
        z = torch_ge.no_fold(x.t())
        x.add_(1)
        return y, y + z.t().detach().sum()

    def without(x):
        y = x * 2
        z = x.t().clone()
        x.add_(1)
        return y, y + z.t().detach().sum()

    x = torch.randn(2, 3)
    with torch.no_grad():
        got, want = torch.compile(program, backend="ge")(x.clone()), without(x.clone())
    assert all(torch.allclose(a, b) for a, b in zip(got, want, strict=True))
