"""torch_ge.testing must notice each kind of difference: shown with backends that are wrong in one way each."""

import pytest
import torch
from functorch.compile import make_boxed_func
from torch._dynamo.backends.common import aot_autograd

from torch_ge.testing import Case, Rules, assert_case, assert_same_as_eager, case_differences, run_threads


def bent(change):
    """aot_eager, but the outputs of each graph go through `change(outputs, inputs)`."""

    def compiler(graph, _):
        def run(*inputs):
            return change(list(graph(*inputs)), inputs)

        return make_boxed_func(run)

    return aot_autograd(fw_compiler=compiler)


def on_tensors(change):
    return bent(lambda outs, _: [change(o) if isinstance(o, torch.Tensor) else o for o in outs])


def program(x):
    y = torch.sin(x) * 2
    return y, (y > 0).sum(0), y.t() + 1


def test_correct_backends_pass(backend):
    for name in ("eager", "aot_eager", backend):
        assert_same_as_eager(program, torch.randn(3, 4), backend=name)


@pytest.mark.parametrize(
    "wrong, message",
    [
        (on_tensors(lambda t: t + 1), "values differ"),
        (on_tensors(lambda t: t * 1.0001 if t.is_floating_point() else t), "values differ by up to"),
        (on_tensors(lambda t: t.double()), "dtype torch.float32 against torch.float64"),
        (on_tensors(lambda t: t.contiguous()), "strides"),
        (on_tensors(lambda t: t[:1]), "shape"),
        (on_tensors(lambda t: torch.where(t > 0.5, torch.nan, t) if t.is_floating_point() else t), "NaN in 0 against"),
        (on_tensors(lambda t: torch.where(t > 0.5, torch.inf, t) if t.is_floating_point() else t), "infinity differs"),
        (bent(lambda outs, _: [torch.rand(1) * 0 + o if o.is_floating_point() else o for o in outs]), "generator state"),
        (bent(lambda outs, inputs: (inputs[0].neg_(), outs)[1]), "argument after the call"),
    ],
)
def test_wrong_results_are_noticed(wrong, message):
    with pytest.raises(AssertionError, match=message):
        assert_same_as_eager(program, torch.randn(3, 4), backend=wrong)


def test_lost_aliasing_is_noticed():
    def returns_two(x):
        y = x + 1
        return y, y.view(-1)

    def shared(outs, _):
        return [outs[0], outs[0].view(-1)]

    with torch.no_grad():
        assert_same_as_eager(returns_two, torch.randn(2, 3), backend=bent(shared))
        with pytest.raises(AssertionError, match="shares storage"):
            assert_same_as_eager(returns_two, torch.randn(2, 3), backend=on_tensors(torch.clone))


def test_extra_aliasing_is_noticed():
    with torch.no_grad(), pytest.raises(AssertionError, match="output 1: shares storage with None .* output 0"):
        assert_same_as_eager(lambda x: (x + 1, x + 1), torch.randn(3), backend=bent(lambda o, _: [o[0], o[0].view(-1)]))


def test_constant_shared_between_calls_is_noticed():
    kept = {}

    def reuse(outs, _):
        return [kept.setdefault(i, o) for i, o in enumerate(outs)]

    def call(f, args):
        first = f(*args)
        first.add_(1)
        return first, f(*args)

    case = Case(lambda: (lambda x: torch.ones(3) * 2, [(torch.zeros(1),)]), call)
    assert case_differences(case, "aot_eager") == []
    assert case_differences(case, bent(reuse))


def test_wrong_buffers_and_gradients_are_noticed():
    bn = torch.nn.Sequential(torch.nn.Linear(3, 3), torch.nn.BatchNorm1d(3))
    x = torch.randn(5, 3, requires_grad=True)
    assert_same_as_eager(bn, x, train=True, backend="aot_eager")

    def compiler(graph, _):
        return make_boxed_func(lambda *a: [o * 1.01 if o is not None and o.is_floating_point() else o for o in graph(*a)])

    exact = aot_autograd(fw_compiler=lambda g, _: make_boxed_func(g.forward), bw_compiler=compiler)
    with pytest.raises(AssertionError, match="gradient of argument 0"):
        assert_same_as_eager(bn, x, train=True, backend=exact)
    with pytest.raises(AssertionError, match="running_mean after the call"):
        assert_same_as_eager(bn, x, train=True, backend=on_tensors(lambda t: t * 1.01 if t.is_floating_point() else t))


def test_exceptions():
    def raises(x, i):
        return x[i]

    bad = torch.tensor([7])
    assert_same_as_eager(raises, torch.zeros(3), bad, backend="aot_eager")

    def another(_outs, _inputs):
        raise ValueError("no")

    with pytest.raises(AssertionError, match="eager raises nothing"):
        assert_same_as_eager(raises, torch.zeros(3), torch.tensor([1]), backend=bent(another))
    silent = aot_autograd(fw_compiler=lambda g, _: make_boxed_func(lambda *a: [torch.zeros(1)]))
    with pytest.raises(AssertionError, match="compiled call raises nothing"):
        assert_same_as_eager(raises, torch.zeros(3), bad, backend=silent)

    def rephrased(graph, _):
        def run(*inputs):
            raise IndexError("something else")

        return make_boxed_func(run)

    with pytest.raises(AssertionError, match="something else"):
        assert_same_as_eager(raises, torch.zeros(3), bad, backend=aot_autograd(fw_compiler=rephrased))


def test_zero_sign_and_tolerance_rules():
    plus_zero = on_tensors(lambda t: t + 0.0)
    make = lambda: (lambda x: x * 1.0, [(torch.tensor([-0.0, 1.0]),)])  # noqa: E731
    assert case_differences(Case(make), plus_zero) == []
    assert "sign of zero" in case_differences(Case(make, rules=Rules(zero_sign=True)), plus_zero)[0]
    near = on_tensors(lambda t: t * 1.001)
    assert_same_as_eager(program, torch.ones(2, 2), backend=on_tensors(lambda t: t * (1 + 1e-6) if t.is_floating_point() else t))
    assert_case(Case(make, rules=Rules(tolerance=1e-2)), near)
    assert_case(Case(make, rules=Rules(tolerance={torch.float32: 1e-2})), near)
    with pytest.raises(AssertionError):
        assert_case(Case(make, rules=Rules(tolerance={torch.float64: 1e-2})), near)


def test_model_and_arguments_are_left_alone(backend):
    class Counter(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("n", torch.zeros(()))

        def forward(self, x):
            self.n += 1
            x.add_(1)
            return x * self.n

    model, x = Counter(), torch.zeros(2)
    assert_same_as_eager(model, x, backend=backend)
    assert model.n == 0 and torch.equal(x, torch.zeros(2))


def test_aliased_arguments_stay_aliased(backend):
    base = torch.arange(6.0)
    assert_same_as_eager(lambda a, b: a.mul_(2).sum() + b, base, base[2:5], backend=backend)


def test_threads_helper():
    assert run_threads(lambda i: i * i, 4) == [0, 1, 4, 9]
    with pytest.raises(ZeroDivisionError):
        run_threads(lambda i: 1 // i, 2)


@pytest.mark.ge(engines=["", "DNN_VM_HOST_CPU"], devices=["host"])
def test_fixture_runs_on_each_target(ge_target):
    ge_target.assert_same_as_eager(program, torch.randn(3, 4))


@pytest.mark.ge_only
def test_assert_nodes():
    from torch_ge.testing import assert_nodes

    model = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.ReLU()).eval()
    with torch.no_grad():
        assert_nodes(model, torch.randn(2, 4), absent=["AtenCall"], max_compute_nodes=4)
        with pytest.raises(AssertionError, match="no node of type Conv2D"):
            assert_nodes(model, torch.randn(2, 4), contains=["Conv2D"])
        with pytest.raises(AssertionError, match="compute nodes are left"):
            assert_nodes(model, torch.randn(2, 4), max_compute_nodes=0)
