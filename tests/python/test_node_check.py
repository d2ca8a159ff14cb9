"""ge.debug.check=node: a wrong kernel, a wrong rewrite and a wrong write are found and named; what is right passes.

Mistakes are planted in eager's kernels, which the check takes for the truth: to it the compiled graph is then wrong.
"""

import contextlib

import pytest
import torch

from torch_ge.testing import assert_same_as_eager

pytestmark = pytest.mark.ge_only

OPTIONS = {"ge.debug.check": "node"}


def compiled(fn, **options):
    return torch.compile(fn, backend="ge", options={**OPTIONS, **options})


@contextlib.contextmanager
def planted(op, kernel):
    """Inside, PyTorch's CPU kernel of `op` is `kernel`."""
    with torch.library._scoped_library("aten", "IMPL") as library, torch.no_grad():
        library.impl(op, kernel, "CPU", allow_override=True)
        yield


def wrong_exp(x):
    out = torch.exp2(x * 1.4426950408889634)
    out.view(-1)[min(5, out.numel() - 1)] += 0.5
    return out


def test_a_wrong_kernel_is_named_with_node_engine_place_and_line():
    x = torch.arange(8.0).reshape(2, 4) / 8
    fn = compiled(lambda x: torch.exp(x))
    with torch.no_grad():
        assert torch.allclose(fn(x), torch.exp(x))
    with planted("exp", wrong_exp), pytest.raises(RuntimeError) as caught:
        fn(x)
    text = str(caught.value)
    assert "node 'exp' (Exp) on engine jit" in text
    assert "test_node_check.py:" in text and "as imported" in text
    assert "1 of 8 elements" in text and "first at [1, 1]: expected 2.368" in text and "found 1.868" in text
    assert "ATen gives another result on the operands that the node got: the kernel is wrong" in text


def test_the_wrong_node_of_a_fused_region_is_named():
    x = torch.arange(8.0) / 8
    fn = compiled(lambda x: torch.tanh(torch.exp(-x) * 2))
    with torch.no_grad():
        assert torch.allclose(fn(x), torch.tanh(torch.exp(-x) * 2))
    with planted("exp", wrong_exp), pytest.raises(RuntimeError) as caught:
        fn(x)
    text = str(caught.value)
    assert "(FusedRegion) on engine jit" in text and "made by pass autofuse" in text
    assert "inside the region, node 'exp' (Exp) on engine jit" in text
    assert "gives another result than ATen on the same operands: 1 of 8 elements" in text


def test_the_first_of_two_wrong_nodes_is_named():
    x = torch.arange(8.0).reshape(2, 4) / 8
    fn = compiled(lambda x: torch.exp(torch.exp(x) @ x.t()), **{"ge.disableOptimizations": "autofuse"})
    with torch.no_grad():
        fn(x)
    with planted("exp", wrong_exp), pytest.raises(RuntimeError, match=r"node 'exp' \(Exp\)"):
        fn(x)


def test_a_wrong_rewrite_is_named_with_its_pass():
    # Folding asks eager's kernels; while one of them is wrong, folding makes a wrong constant.
    x = torch.ones(3)
    fn = compiled(lambda x: x + torch.erfinv(torch.full((3,), 0.5)))
    with planted("erfinv", lambda x: x + 7), contextlib.suppress(RuntimeError):
        fn(x)
    with torch.no_grad(), pytest.raises(RuntimeError) as caught:
        fn(x)
    text = str(caught.value)
    assert "(Const)" in text and "made by pass constant-folding" in text
    assert "replaced by pass constant-folding" in text and "node 'erfinv'" in text
    assert "expected 0.4769" in text and "found 7.5" in text


def test_a_kernel_that_changes_its_mind_is_found():
    calls = []
    with torch.library._scoped_library("ge_check", "FRAGMENT") as library:
        library.define("fickle(Tensor x) -> Tensor")
        library.impl("fickle", lambda x: calls.append(1) or x + len(calls), "CPU")
        library.impl("fickle", lambda x: torch.empty_like(x), "Meta")
        with torch.no_grad(), pytest.raises(RuntimeError) as caught:
            compiled(lambda x: torch.ops.ge_check.fickle(x) * 2)(torch.zeros(2, dtype=torch.int64))
    assert len(calls) == 2
    assert "(ge_check::fickle) on engine aten" in str(caught.value)
    assert "2 of 2 elements differ; first at [0]: expected 1, found 2" in str(caught.value)


def test_a_wrong_write_into_an_input_is_found():
    def step(x, y):
        x.add_(torch.exp(y))
        return y + 1

    x, y = torch.zeros(2, 4), torch.arange(8.0).reshape(2, 4) / 8
    fn = compiled(step)
    with torch.no_grad():
        fn(x, y)
        assert torch.allclose(x, torch.exp(y))
    with planted("exp", wrong_exp), pytest.raises(RuntimeError, match="diverges from eager"):
        fn(x, y)


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv2d(3, 8, 3)
        self.norm = torch.nn.BatchNorm2d(8)
        self.head = torch.nn.Linear(8, 5)
        self.register_buffer("count", torch.zeros((), dtype=torch.int64))

    def forward(self, x):
        self.count += 1
        y = torch.relu(self.norm(self.conv(x)))
        z = self.head(y.mean((2, 3)))
        return torch.where(z > 0, z, 0.1 * z), z.argmax(-1), torch.dropout(z, 0.5, True)


@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize("train", [False, True])
def test_no_false_alarm(train, dynamic):
    assert_same_as_eager(Block().train(train), torch.randn(2, 3, 9, 9), train=train, dynamic=dynamic, options=OPTIONS)


def test_shared_and_strided_inputs_and_control_flow():
    base, other = torch.randn(6, 4), torch.randn(6, 4)

    def program(x, y, flag):
        x.mul_(2)
        z = torch.cond(flag, lambda a: a.sin(), lambda a: a.cos(), (y,))
        return z, x[1:], y.t()

    for flag in (True, False):
        assert_same_as_eager(program, base[::2], other.t()[:, 1:4], torch.tensor(flag), options=OPTIONS)
    assert_same_as_eager(lambda x, y: (x * y.t().contiguous().reshape(3, 4), y[0]), base[::2], base.t()[:, 1:4], options=OPTIONS)


def test_an_error_of_eager_stays_that_error():
    def program(x, i):
        return x[i] + 1

    fn = compiled(program)
    with torch.no_grad():
        fn(torch.ones(4), torch.tensor([1]))
        with pytest.raises(IndexError, match="out of bounds"):
            fn(torch.ones(4), torch.tensor([7]))


def test_results_are_those_of_a_run_without_the_check_where_engines_agree():
    model = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.GELU()).eval()
    x = torch.randn(4, 8)
    with torch.no_grad():
        assert torch.allclose(compiled(model)(x), model(x), atol=1e-6)
