"""The ten models of zoo.py give eager's answers, from one graph each, with almost all operators native.

A result is right if it is as near to eager as 2e-5 of the largest value, and about as near to a float64 run as eager is.
That the comparison can fail is tested too: a weight scaled by 1.1 must be noticed, by us and by the compiled model.
"""

import copy
import functools

import pytest
import torch
import torch._dynamo
import zoo
from torch._dynamo.utils import counters

NEAR, FLOOR = 2e-5, 2e-6


def _double(value):
    return value.double() if isinstance(value, torch.Tensor) and value.is_floating_point() else value


def _share(a, b):
    """The largest difference of two results as a share of the second's largest value."""
    return float((a.double() - b.double()).abs().max() / b.double().abs().max())


@pytest.fixture(autouse=True)
def inference():
    threads = torch.get_num_threads()
    torch.set_num_threads(2)
    with torch.no_grad(), torch._dynamo.config.patch(allow_rnn=True):
        yield
    torch.set_num_threads(threads)


@functools.cache
def _reference(name):
    """Eager's result, and its float64 run."""
    model, arguments = zoo.make(name)
    state = copy.deepcopy(model.state_dict())
    eager = model(*arguments)
    model.load_state_dict(state)
    return eager, model.double()(*map(_double, arguments))


@pytest.mark.parametrize("name", list(zoo.MODELS))
def test_model(name, backend):
    eager, exact = _reference(name)
    model, arguments = zoo.make(name)
    counters.clear()
    compiled = torch.compile(model, backend=backend)
    first = compiled(*arguments)
    assert counters["stats"]["unique_graphs"] == 1, dict(counters["graph_break"])
    assert sum(counters["graph_break"].values()) == 0
    for result in (first, compiled(*arguments)):
        assert (result.dtype, result.shape, result.stride()) == (eager.dtype, eager.shape, eager.stride())
        assert _share(result, eager) <= NEAR
        assert _share(result, exact) <= max(2 * _share(eager, exact), FLOOR)
    if backend == "ge":
        import torch_ge

        [graph] = torch_ge.explain(compiled).graphs
        fallbacks = sum(graph.fallback_nodes.values())
        assert graph.native_nodes >= 0.9 * (graph.native_nodes + fallbacks), graph.fallback_nodes

    # the test can fail, and weights are not frozen for good: scale one and both sides must move alike
    weights = [p for p in model.parameters() if p.dim() > 1]
    if weights:
        weights[len(weights) // 2].mul_(1.1)
        moved = model(*arguments)
        assert _share(moved, eager) > 2 * NEAR
        assert _share(compiled(*arguments), moved) <= NEAR


@pytest.mark.ge_only
@pytest.mark.parametrize("name", list(zoo.MODELS))
def test_every_node_is_what_eager_computes(name):
    torch.set_num_threads(1)  # thousands of small comparisons; on a busy machine threads would wait for each other
    model, arguments = zoo.make(name)
    compiled = torch.compile(model, backend="ge", options={"ge.debug.check": "node"})
    for _ in range(2):
        compiled(*arguments)


def test_decoder_steps_fill_the_cache(backend):
    (eager, _), (model, _) = zoo.make("decode"), zoo.make("decode")
    compiled = torch.compile(model, backend=backend)
    for position, token in enumerate((5, 77, 5, 1234)):
        arguments = torch.tensor([[token]]), torch.tensor([position])
        assert _share(compiled(*arguments), eager(*arguments)) <= NEAR
    for (key, a), b in zip(eager.named_buffers(), model.buffers(), strict=True):
        assert torch.allclose(a, b, rtol=1e-4, atol=1e-6), key


def test_lstm_breaks_by_default_and_still_agrees(backend):
    eager, _ = _reference("lstm")
    with torch._dynamo.config.patch(allow_rnn=False):
        model, arguments = zoo.make("lstm")
        assert _share(torch.compile(model, backend=backend)(*arguments), eager) <= NEAR
