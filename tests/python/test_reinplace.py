"""Updates of buffers happen in the buffer's own memory where nobody can tell (ge_core/passes/buffers/reinplace_pass.h)."""

from __future__ import annotations

import copy

import pytest
import torch
import torch_ge
from torch import nn


class Buffer(nn.Module):
    """One buffer, which `step` changes."""

    def __init__(self, step, shape=(4, 8), strided=False):
        super().__init__()
        self.step = step
        data = torch.arange(float(torch.Size(shape).numel())).view(shape)
        self.register_buffer("cache", data.t().contiguous().t() if strided else data)

    def forward(self, x, i):
        return self.step(self.cache, x, i)


def copy_rows(cache, x, i):
    before = cache.sum()
    cache.index_copy_(0, i, x)
    return before + cache * 2


def put_row(cache, x, i):
    cache[i] = x
    return cache.relu()


def add_rows(cache, x, i):
    cache.index_add_(0, i, x)
    return cache.exp()


def write_selected(cache, x, i):
    cache[2] = x[0]
    return cache.neg() + i


def write_slice(cache, x, i):
    cache[1:2] = x
    return cache.neg() + i


IN_PLACE = [copy_rows, put_row, add_rows, write_selected, write_slice]


def old_value_later(cache, x, i):
    old = cache.clone()
    cache.index_copy_(0, i, x)
    return old + cache


def result_is_a_copy(cache, x, i):
    cache.index_copy_(0, i, x)
    return cache.clone()


def moves_itself(cache, x, i):
    cache[1:] = cache[:-1].clone()
    return cache + i


def view_before(cache, x, i):
    row = cache[0]
    cache.index_copy_(0, i, x)
    return row + 1


def view_of_new(cache, x, i):
    cache.index_copy_(0, i, x)
    return cache[:2]  * 2


def twice(cache, x, i):
    cache.index_copy_(0, i, x)
    cache.index_add_(0, i, x)
    return cache - 1


def given_back(cache, x, i):
    cache.index_copy_(0, i, x)
    return cache


def assigned_from_another(cache, x, i):
    new = torch.index_copy(cache, 0, i, x)
    cache.copy_(new)
    return new


OTHERS = [old_value_later, result_is_a_copy, moves_itself, view_before, view_of_new, twice, given_back,
          assigned_from_another]  # fmt: skip


def run(model, calls=4):
    torch.manual_seed(0)
    results = []
    with torch.no_grad():
        for k in range(calls):
            results.append(model(torch.randn(1, 8), torch.tensor([k % 4])).clone())
            results.append(getattr(model, "_orig_mod", model).cache.clone())
    return results


@pytest.mark.parametrize("strided", [False, True], ids=["contiguous", "strided"])
@pytest.mark.parametrize("step", IN_PLACE + OTHERS, ids=lambda step: step.__name__)
def test_same_as_eager(step, strided):
    model = Buffer(step, strided=strided)
    expected = run(copy.deepcopy(model))
    # AOTAutograd itself changes the strides of some results: its eager backend is the measure of them.
    traced = run(torch.compile(copy.deepcopy(model), backend="aot_eager"))
    torch._dynamo.reset()
    address = model.cache.data_ptr()
    for got, want, strides in zip(run(torch.compile(model, backend="ge")), expected, traced, strict=True):
        assert got.stride() == strides.stride()
        torch.testing.assert_close(got, want)
    assert model.cache.data_ptr() == address


@pytest.mark.parametrize("step", IN_PLACE, ids=lambda step: step.__name__)
def test_no_copy_is_left(step):
    compiled = torch.compile(Buffer(step), backend="ge")
    run(compiled, calls=1)
    (graph,) = torch_ge.explain(compiled).graphs
    assert graph.copies == 0, str(graph)


def test_pass_off_leaves_the_copy():
    compiled = torch.compile(Buffer(copy_rows), backend="ge", options={"ge.optimizationSwitch": "reinplace:off"})
    run(compiled, calls=1)
    (graph,) = torch_ge.explain(compiled).graphs
    assert graph.copies == 1


def test_bad_index_raises_what_eager_raises():
    compiled, eager = torch.compile(Buffer(copy_rows), backend="ge"), Buffer(copy_rows)
    bad = torch.randn(1, 8), torch.tensor([9])
    with torch.no_grad():
        with pytest.raises(IndexError) as expected:
            eager(*bad)
        with pytest.raises(IndexError) as found:
            compiled(*bad)
    assert str(found.value) == str(expected.value)


def test_why_a_copy_stays():
    compiled = torch.compile(Buffer(assigned_from_another), backend="ge")
    run(compiled, calls=1)
    (graph,) = torch_ge.explain(compiled).graphs
    assert graph.copies == 1


def test_export_writes_in_place():
    model, reference = Buffer(copy_rows), Buffer(copy_rows)
    direct = torch_ge.compile(model, torch.randn(1, 8), torch.tensor([1]))
    torch.manual_seed(3)
    with torch.no_grad():
        for k in range(3):
            x, i = torch.randn(1, 8), torch.tensor([k])
            torch.testing.assert_close(direct(x, i), reference(x, i), rtol=0, atol=0)
            assert torch.equal(model.cache, reference.cache)
