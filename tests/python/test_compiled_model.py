"""The native callable: wrong inputs are refused with place and reason, and never reach a kernel."""

import pytest
import torch

import torch_ge
from torch_ge.report import callables_of

pytestmark = pytest.mark.ge_only


@pytest.fixture
def native():
    compiled = torch.compile(lambda x, w: torch.relu(x @ w) + 1, backend="ge")
    with torch.no_grad():
        compiled(torch.randn(3, 4), torch.randn(4, 5))
    return next(iter(callables_of(compiled)))


X, W = torch.randn(3, 4), torch.randn(4, 5)


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ([], "takes 2 inputs, 0 were given"),
        ([1, 2], r"input 0 .*expected f32\[3,4\], got a Python int"),
        (["a", None], r"input 0 .*got a Python str"),
        ([X, torch.randn(4, 6)], r"input 1 .*expected f32\[4,5\], got Float\[4,6\]"),
        ([X.double(), W], r"input 0 .*got Double\[3,4\]"),
        ([X, object()], r"input 1 .*got a Python object"),
        ([X.to_sparse(), W], r"input 0 .*layout Sparse"),
        ([torch.empty(3, 4, device="meta"), W], r"input 0 .*on meta"),
    ],
)
def test_wrong_inputs_are_refused(native, inputs, message):
    with pytest.raises(ValueError, match=message):
        native(inputs)


def test_it_takes_one_list_and_empties_it(native):
    with pytest.raises(TypeError, match="one list"):
        native(X, W)
    given = [X, W]
    (result,) = native(given)
    assert given == []
    assert torch.allclose(result, torch.relu(X @ W) + 1)


def test_other_strides_than_at_compile_time_are_read_right(native):
    (result,) = native([X.t().contiguous().t(), W.t().contiguous().t()])
    assert torch.allclose(result, torch.relu(X @ W) + 1)


def test_direct_model_checks_its_inputs():
    model = torch_ge.compile(torch.nn.Linear(4, 2), X)
    assert torch.allclose(model(X), model(X.clone()))
    with pytest.raises(ValueError, match=r"compiled for a tensor of torch.float32 \(3, 4\), got torch.float32 \(5, 4\)"):
        model(torch.randn(5, 4))
    with pytest.raises(ValueError, match="another structure"):
        model(X, X)
    with pytest.raises(ValueError, match="input 0"):
        model(3)


def test_weights_are_freed_with_their_model():
    import ctypes
    import gc
    import weakref

    def resident() -> int:
        gc.collect()
        ctypes.CDLL(None).malloc_trim(0)  # what other tests of this process freed may keep pages in the heap
        with open("/proc/self/statm") as f:
            return int(f.read().split()[1]) * 4096

    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.linear = torch.nn.Linear(2048, 2048)

        def forward(self, x):
            return self.linear(x)

    models = [Net() for _ in range(8)]  # 8 x 16 MiB
    compiled = [torch.compile(m, backend="ge") for m in models]
    with torch.no_grad():
        for c in compiled:
            c(torch.ones(2, 2048))
    dead = [weakref.ref(m.linear.weight) for m in models]
    before = resident()
    del models, compiled, c
    gc.collect()
    assert all(ref() is None for ref in dead)
    # Weights and packed copies: 2 x 128 MiB. The compiled graph itself stays with the code object.
    assert before - resident() > 200 * 2**20
