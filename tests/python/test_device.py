"""Option ge.exec.device: models on the simulated device (docs/sim_device.md) do what eager does."""

from __future__ import annotations

import copy
import threading

import pytest
import torch
import torch.nn.functional as F
from torch import nn
from torch_ge.testing import Case, assert_case, assert_same_as_eager, run_threads

SIM = {"ge.exec.device": "sim"}


class ConvNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3, padding=1)
        self.norm = nn.BatchNorm2d(8)
        self.head = nn.Linear(8, 4)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.norm(self.conv(x))), 2)
        return self.head(x.mean((2, 3)))


class Block(nn.Module):
    """A transformer block: attention and a feed-forward net, each with its residual."""

    def __init__(self, width=32, heads=4):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        b, t, w = x.shape
        q, k, v = (part.view(b, t, self.heads, -1).transpose(1, 2) for part in self.qkv(self.norm1(x)).chunk(3, -1))
        a = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(a.transpose(1, 2).reshape(b, t, w))
        return x + self.down(F.gelu(self.up(self.norm2(x))))


class Cache(nn.Module):
    """A buffer that each call changes in place."""

    def __init__(self):
        super().__init__()
        self.register_buffer("cache", torch.zeros(4, 8))
        self.register_buffer("steps", torch.zeros((), dtype=torch.int64))

    def forward(self, x, i):
        self.cache.index_copy_(0, i, x)
        self.steps += 1
        return self.cache.sum(0), self.steps + 0


@pytest.mark.parametrize("train", [False, True], ids=["eval", "train"])
def test_conv_net(train):
    assert_same_as_eager(ConvNet().train(train), torch.randn(2, 3, 16, 16), train=train, options=SIM)


@pytest.mark.parametrize("train", [False, True], ids=["eval", "train"])
def test_transformer_block(train):
    assert_same_as_eager(Block().train(train), torch.randn(2, 6, 32), train=train, options=SIM)


def test_weights_are_kept_on_the_device_until_they_change():
    model = ConvNet().eval()
    compiled = torch.compile(copy.deepcopy(model), backend="ge", options=SIM)
    x = torch.randn(1, 3, 8, 8)
    with torch.no_grad():
        for scale in (1.0, 2.0):
            for m in (model, compiled):
                m.conv.weight.mul_(scale)
            for _ in range(2):
                torch.testing.assert_close(compiled(x), model(x), rtol=1e-5, atol=1e-6)


def test_buffers_change_in_place():
    model = Cache()
    compiled = torch.compile(copy.deepcopy(model), backend="ge", options=SIM)
    address = compiled.cache.data_ptr()
    for k in range(6):
        x, i = torch.randn(1, 8), torch.tensor([k % 4])
        torch.testing.assert_close(compiled(x, i), model(x, i))
        assert torch.equal(compiled.cache, model.cache)
        assert compiled.steps.item() == k + 1
    assert compiled.cache.data_ptr() == address


def changed_argument(x):
    x.mul_(2)
    x[0] = 7
    return x + 1


def views_of_arguments(x):
    return x[1:], x.t(), x.view(-1), x


def view_of_a_result(x):
    y = x * 2
    return y, y[1:], y.t()


def conjugate_view(x):
    return torch.complex(x, x).conj(), torch.complex(x, -x).conj() + 1


def data_dependent(x):
    return x.nonzero(), x[x > 0]


def random_numbers(x):
    return torch.rand_like(x), F.dropout(x, 0.5), torch.randperm(5)


def shapes(x):
    return torch.tensor(x.shape), x.new_full(x.shape, x.dim()), x.size(0) + 1


def branches(x):
    a, b, c, d = x.exp(), x.sin(), x.cos(), x.relu()
    return (a @ b.t()) + (c @ d.t()), (a + b) @ (c - d).t()


def branch(x):
    return torch.cond(x.sum() > 0, lambda x: x.sin(), lambda x: x.cos() * 2, (x,))


@pytest.mark.parametrize(
    "f",
    [changed_argument, views_of_arguments, view_of_a_result, conjugate_view, data_dependent, random_numbers, shapes,
     branches, branch],
    ids=lambda f: f.__name__,
)  # fmt: skip
@pytest.mark.parametrize("strided", [False, True], ids=["contiguous", "strided"])
def test_functions(f, strided):
    x = torch.randn(4, 4, generator=torch.Generator().manual_seed(1))
    assert_same_as_eager(f, x.t() if strided else x, options=SIM)


@pytest.mark.parametrize("second", [lambda x: x, lambda x: x[1:], lambda x: x.t(), lambda x: x.expand(2, 4, 4)])
@pytest.mark.parametrize("write", [False, True], ids=["read", "write"])
def test_arguments_that_share_memory(second, write):
    def f(x, y):
        if write:
            x.add_(1)
        return x * 2, y + 1, y

    def program():
        x = torch.arange(16.0).view(4, 4)
        return f, [(x, second(x)), (x, second(x))]

    assert_case(Case(program), options=SIM)


def test_exceptions_of_kernels_are_those_of_eager():
    def f(x, i):
        return x.index_select(0, i) + 1

    compiled = torch.compile(f, backend="ge", options=SIM)
    x, good, bad = torch.randn(3, 2), torch.tensor([2, 0]), torch.tensor([5])
    torch._dynamo.mark_dynamic(good, 0)
    with torch.no_grad():
        assert torch.equal(compiled(x, good), f(x, good))
        with pytest.raises(IndexError, match="out of range"):
            compiled(x, torch.tensor([1, 7]))
        with pytest.raises(IndexError, match="out of range"):
            compiled(x, bad)
        assert torch.equal(compiled(x, good), f(x, good))


def test_exceptions_of_python_functions():
    @torch.library.custom_op("test_device::refuses", mutates_args=())
    def refuses(x: torch.Tensor) -> torch.Tensor:
        if x.sum() > 100:
            raise KeyError("too much")
        return x.clone()

    refuses.register_fake(torch.empty_like)
    compiled = torch.compile(lambda x: refuses(x) + 1, backend="ge", options=SIM)
    x = torch.ones(4)
    assert torch.equal(compiled(x), x + 1)
    with pytest.raises(KeyError, match="too much"):
        compiled(x * 50)
    assert torch.equal(compiled(x), x + 1)


def test_a_kernel_may_call_a_compiled_model():
    inner = torch.compile(lambda x: x.sin() + 1, backend="ge", options=SIM)

    @torch.library.custom_op("test_device::calls_inner", mutates_args=())
    def calls_inner(x: torch.Tensor) -> torch.Tensor:
        return inner(x)

    calls_inner.register_fake(torch.empty_like)
    x = torch.randn(8)
    inner(x)
    outer = torch.compile(lambda x: calls_inner(x) * 2, backend="ge", options=SIM)
    torch.testing.assert_close(outer(x), (x.sin() + 1) * 2)


def test_calls_from_several_threads():
    model = Block().eval()
    compiled = torch.compile(model, backend="ge", options=SIM)
    x = torch.randn(2, 6, 32)
    with torch.no_grad():
        want = model(x)
        compiled(x)

    def work(i):
        with torch.no_grad():
            return [compiled(x) for _ in range(5)]

    for results in run_threads(work, 4):
        for got in results:
            torch.testing.assert_close(got, want, rtol=1e-5, atol=1e-5)


def test_thread_settings_of_the_caller_hold_on_the_streams():
    def f(x):
        return x @ x

    compiled = torch.compile(f, backend="ge", options=SIM)
    x = torch.randn(4, 4)
    with torch.autocast("cpu", torch.bfloat16):
        assert compiled(x).dtype == torch.bfloat16 == f(x).dtype
    assert threading.active_count() < 100


def test_results_lie_in_ordinary_memory():
    compiled = torch.compile(lambda x: (x + 1, x[0], torch.ones(3)), backend="ge", options=SIM)
    x = torch.zeros(4, 4)
    first = compiled(x)
    kept = [t.clone() for t in first]
    for t in compiled(x):
        t.add_(5)  # nobody else's
    for t, k in zip(first[::2], kept[::2], strict=True):
        assert torch.equal(t, k)
    assert first[1]._base is x
    assert x[0].eq(5).all()


def test_node_check():
    assert_same_as_eager(Block().eval(), torch.randn(1, 4, 32), options={**SIM, "ge.debug.check": "node"})


def test_unknown_device():
    with pytest.raises(Exception, match=r"ge\.exec\.device: 'simm' is not a valid value; accepted: 'host', 'sim'") as info:
        torch.compile(lambda x: x + 1, backend="ge", options={"ge.exec.device": "simm"})(torch.ones(2))
    assert "did you mean 'sim'" in str(info.value)
