"""What eager promises and a compiled model must keep, beyond single calls: objects, modes, threads, weights over time.

The bug cases in tests/cases compare programs call by call; here are uses that need more than two calls in a row.
"""

import copy
import gc
import io
import pickle
import random
import weakref

import pytest
import torch
import torch.nn as nn
import torch.nn.functional as F

from torch_ge.testing import assert_same_as_eager, run_threads


class Block(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.a, self.norm, self.b = nn.Linear(width, 2 * width), nn.LayerNorm(2 * width), nn.Linear(2 * width, width)

    def forward(self, x):
        return x + self.b(F.gelu(self.norm(self.a(x))))


def near(a, b):
    return torch.allclose(a, b, rtol=1e-4, atol=1e-5)


@pytest.fixture
def pair(backend):
    """A module, its compiled form, and a function that compares the two on fresh input."""
    model = Block().eval()
    compiled = torch.compile(model, backend=backend)

    def agree(batch=2):
        x = torch.randn(batch, 8)
        with torch.no_grad():
            assert near(compiled(x), model(x))

    agree()
    return model, compiled, agree


def test_copies_and_pickles_are_independent(pair, backend):
    model, compiled, agree = pair
    for twin in (copy.deepcopy(model), pickle.loads(pickle.dumps(model)), copy.deepcopy(compiled)._orig_mod):
        with torch.no_grad():
            twin.a.weight.mul_(2)
            x = torch.randn(2, 8)
            expected = twin(x)
            assert near(torch.compile(twin, backend=backend)(x), expected)
            assert not near(model(x), expected)
        agree()


def test_saved_and_loaded(pair):
    model, _, agree = pair
    file = io.BytesIO()
    torch.save(model.state_dict(), file)
    with torch.no_grad():
        model.b.bias.add_(1)
    agree()
    file.seek(0)
    model.load_state_dict(torch.load(file))
    agree()


def test_submodules_and_attributes_replaced(pair):
    model, _, agree = pair
    model.norm = nn.LayerNorm(16)
    agree()
    nn.init.normal_(model.norm.weight)
    agree()
    model.norm.eps = 0.5
    agree()
    model.a.bias = None
    agree()


def test_weights_swapped_under_the_model(pair):
    model, _, agree = pair
    keep = model.a.weight.data
    for scale in (2.0, 3.0):  # the allocator is likely to give the second the first one's address
        model.a.weight.data = keep * scale
        agree()
        model.a.weight.data = keep
        agree()
    torch.utils.swap_tensors(model.b.bias, nn.Parameter(torch.randn(8)))
    agree()
    with torch.inference_mode():
        model.b.weight.mul_(2)
    agree()


def test_moving_average_through_data(pair):
    model, _, agree = pair
    source = Block()
    for _ in range(3):
        for p, q in zip(model.parameters(), source.parameters(), strict=True):
            p.data.lerp_(q.data, 0.5)
        agree()


def test_bf16_and_back(pair):
    model, compiled, agree = pair
    model.bfloat16()
    x = torch.randn(2, 8).bfloat16()
    with torch.no_grad():
        assert torch.allclose(compiled(x), model(x), rtol=2e-2, atol=2e-2)
    model.float()
    agree()


def test_weights_shared_with_numpy(backend):
    array = torch.randn(8, 8).numpy()
    model = nn.Linear(8, 8)
    model.weight = nn.Parameter(torch.from_numpy(array))
    compiled = torch.compile(model, backend=backend)
    x = torch.randn(3, 8)
    with torch.no_grad():
        for i in range(4):
            assert near(compiled(x), F.linear(x, torch.tensor(array), model.bias))
            array[i, :] += 1.0


def test_weights_aliased_by_a_view_taken_before(backend):
    model = nn.Linear(4, 4)
    view = model.weight.detach().view(-1)
    compiled = torch.compile(model, backend=backend)
    x = torch.randn(2, 4)
    with torch.no_grad():
        for i in range(3):
            compiled(x)
            view[i] = 5.0 + i
            assert near(compiled(x), model(x))
            assert model.weight.view(-1)[i] == 5.0 + i


def test_eager_training_between_compiled_evaluations(backend):
    model = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 2))
    compiled = torch.compile(model, backend=backend)
    for fused in (True, False):
        optimizer = torch.optim.AdamW(model.parameters(), lr=0.1, fused=fused, foreach=not fused)
        for _ in range(2):
            model.train()
            optimizer.zero_grad()
            model(torch.randn(6, 4)).square().sum().backward()
            optimizer.step()
            model.eval()
            x = torch.randn(3, 4)
            with torch.no_grad():
                assert near(compiled(x), model(x))


def test_several_modules_share_one_graph(backend):
    blocks = [Block().eval() for _ in range(3)]
    compiled = [torch.compile(block, backend=backend) for block in blocks]
    x = torch.randn(2, 8)
    with torch.no_grad():
        for _ in range(2):
            for block, fast in zip(blocks, compiled, strict=True):
                assert near(fast(x), block(x))
        blocks[1].a.weight.zero_()
        for block, fast in zip(blocks, compiled, strict=True):
            assert near(fast(x), block(x))


def test_threads_with_shapes_and_modules_of_their_own(backend):
    blocks = [Block().eval() for _ in range(2)]
    fast = [torch.compile(block, backend=backend) for block in blocks]

    def work(i):
        with torch.no_grad():
            for _ in range(8):
                x = torch.randn(2 + i % 3, 8)
                assert near(fast[i % 2](x), blocks[i % 2](x))
        return True

    assert all(run_threads(work, 6))


def test_weights_change_under_another_threads_calls(backend):
    """Each call sees old or new weights, whole, and calls that start after the change see the new ones."""
    model = nn.Linear(16, 16, bias=False).eval()
    compiled = torch.compile(model, backend=backend)
    one = torch.ones(1, 16)
    with torch.no_grad():
        model.weight.fill_(1.0)
        compiled(one)

    def work(i):
        with torch.no_grad():
            if i == 0:
                for value in range(2, 12):
                    model.weight.fill_(float(value))
                return True
            return all(16 <= float(v) <= 16 * 11 for _ in range(20) for v in compiled(one)[0])

    assert all(run_threads(work, 3))
    with torch.no_grad():
        assert near(compiled(one), torch.full((1, 16), 16.0 * 11))


def test_grad_modes_take_turns(backend):
    model = Block()
    compiled = torch.compile(model, backend=backend)
    x = torch.randn(2, 8)
    for _ in range(2):
        with torch.no_grad():
            assert not compiled(x).requires_grad
        with torch.inference_mode():
            assert compiled(x).is_inference()
        y = compiled(x)
        assert y.requires_grad and not y.is_inference()
        y.sum().backward()
        found = [p.grad.clone() for p in model.parameters()]
        model.zero_grad()
        model(x).sum().backward()
        assert all(near(a, p.grad) for a, p in zip(found, model.parameters(), strict=True))
        model.zero_grad()


def test_random_numbers_continue_as_in_eager(backend):
    model = nn.Sequential(nn.Linear(8, 8), nn.Dropout(0.5)).train()
    compiled = torch.compile(model, backend=backend)
    x = torch.randn(4, 8)
    torch.manual_seed(5)
    expected = [model(x), torch.rand(3), model(x)]
    torch.manual_seed(5)
    found = [compiled(x), torch.rand(3), compiled(x)]
    assert all(near(a, b) for a, b in zip(expected, found, strict=True))
    state = torch.get_rng_state()
    again = compiled(x)
    torch.set_rng_state(state)
    assert torch.equal(again, compiled(x))


def test_results_belong_to_the_caller(backend):
    compiled = torch.compile(lambda x: (x + 1, (x * 2).t()), backend=backend)
    x = torch.randn(4, 4)
    with torch.no_grad():
        kept = [compiled(x + i) for i in range(5)]
        for i, (a, b) in enumerate(kept):
            assert torch.equal(a, x + i + 1) and torch.equal(b, ((x + i) * 2).t())
            a.zero_()
        assert torch.equal(kept[3][1], ((x + 3) * 2).t())
        first = kept[0][1]
        del kept
        gc.collect()
        compiled(x * 5)
        assert torch.equal(first, (x * 2).t())


def test_nothing_keeps_model_and_inputs_alive(backend):
    model, x = Block().eval(), torch.randn(2, 8)
    compiled = torch.compile(model, backend=backend)
    with torch.no_grad():
        y = compiled(x)
    refs = [weakref.ref(x), weakref.ref(y)]
    del x, y
    gc.collect()
    assert [r() for r in refs] == [None, None]
    refs = [weakref.ref(model), *map(weakref.ref, model.parameters())]
    del model, compiled
    torch._dynamo.reset()
    gc.collect()
    assert [r() for r in refs] == [None] * len(refs)


@pytest.mark.parametrize("dynamic", [None, True, False])
def test_many_shapes(backend, dynamic):
    model = Block().eval()
    compiled = torch.compile(model, backend=backend, dynamic=dynamic)
    with torch.no_grad():
        for batch in (3, 5, 1, 0, 7, 3):
            x = torch.randn(batch, 2, 8)
            assert near(compiled(x), model(x))


def test_deterministic_settings_are_honoured(backend):
    x, i = torch.randn(50), torch.randint(0, 5, (50,))
    torch.use_deterministic_algorithms(True)
    try:
        assert_same_as_eager(lambda x, i: torch.zeros(5).index_add(0, i, x), x, i, backend=backend, tol=0.0)
    finally:
        torch.use_deterministic_algorithms(False)
    if torch.set_flush_denormal(True):
        try:
            assert_same_as_eager(lambda x: x * 0.5, torch.full((4,), 1.2e-38), backend=backend, tol=0.0)
        finally:
            torch.set_flush_denormal(False)


@pytest.mark.parametrize(
    "fn, args",
    [
        (lambda x: x * 0.5, lambda: (torch.full((1 << 20,), 1.2e-38),)),
        (lambda x, w: torch.mm(x, w), lambda: (torch.full((256, 64), 1.5e-38), torch.full((64, 256), 1 / 128))),
        (lambda x, w: torch.nn.functional.linear(x, w), lambda: (torch.full((1, 64), 1.5e-38), torch.full((1 << 14, 64), 1 / 128))),
    ],
    ids=["element-wise", "product", "matrix times vector"],
)
def test_flushing_of_subnormals_holds_in_all_threads(fn, args, backend):
    threads = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        args = args()
        compiled = torch.compile(fn, backend=backend)
        kept = compiled(*args)
        assert bool((kept > 0).all())
        if not torch.set_flush_denormal(True):
            pytest.skip("this CPU does not flush")
        for _ in range(2):  # the state is carried once, not at each call
            assert bool((compiled(*args) == 0).all())
        torch.set_flush_denormal(False)
        assert torch.equal(compiled(*args), kept)
    finally:
        torch.set_flush_denormal(False)
        torch.set_num_threads(threads)


def test_custom_operators(backend):
    @torch.library.custom_op("torch_ge_tests::scale", mutates_args=())
    def scale(x: torch.Tensor, by: float) -> torch.Tensor:
        return x * by

    @scale.register_fake
    def _(x, by):
        return torch.empty_like(x)

    @torch.library.custom_op("torch_ge_tests::bump", mutates_args=("x",))
    def bump(x: torch.Tensor) -> None:
        x.add_(1)

    def program(x):
        y = scale(x, 2.0) + 1
        bump(y)
        bump(x)
        return y * x

    assert_same_as_eager(program, torch.randn(3), backend=backend)

    @torch.library.custom_op("torch_ge_tests::fails", mutates_args=())
    def fails(x: torch.Tensor) -> torch.Tensor:
        raise KeyError("on purpose")

    fails.register_fake(lambda x: torch.empty_like(x))
    with pytest.raises(KeyError, match="on purpose"):
        torch.compile(lambda x: fails(x) + 1, backend=backend)(torch.ones(2))


def test_unusual_tensors_are_as_under_aot_eager(backend):
    def outcome(name, program, x):
        torch._dynamo.reset()
        try:
            return torch.compile(program, backend=name)(x), None
        except Exception as error:
            return None, type(error)

    sparse = torch.eye(3).to_sparse()
    quantised = torch.quantize_per_tensor(torch.randn(4), 0.1, 0, torch.qint8)
    programs = [
        (lambda x: x @ torch.ones(3, 2), sparse),
        (lambda x: x.dequantize() + 1, quantised),
        (lambda x: x.conj() * 2, torch.randn(3, dtype=torch.complex64)),
        (lambda x: x + 1, torch.ones(2, device="meta")),
        (lambda x: torch.view_as_real(x).sum(-1), torch.randn(3, dtype=torch.complex128).conj().resolve_conj()),
    ]
    for program, x in programs:
        (a, a_error), (b, b_error) = outcome("aot_eager", program, x), outcome(backend, program, x)
        assert a_error == b_error
        if a is not None and a.device.type != "meta":
            assert a.dtype == b.dtype and torch.allclose(a, b)


@pytest.mark.ge_only
def test_bad_options_reach_the_user():
    from torch._dynamo.exc import BackendCompilerFailed

    with pytest.raises(BackendCompilerFailed, match="did you mean 'ge.oo.level'"):
        torch.compile(lambda x: x + 1, backend="ge", options={"ge.oo.levle": "O1"})(torch.ones(1))
    with pytest.raises(BackendCompilerFailed, match="max-autotune"):
        torch.compile(lambda x: x + 1, backend="ge", mode="reduce-overhead")(torch.ones(1))


@pytest.mark.ge_only
@pytest.mark.parametrize("level", ["O1", "O2", "O3"])
@pytest.mark.parametrize("weights", ["auto", "checked", "inputs"])
def test_levels_and_weight_modes(level, weights):
    model = Block().eval()
    compiled = torch.compile(model, backend="ge", options={"ge.oo.level": level, "ge.weights": weights, "ge.debug.verify": True})
    x = torch.randn(3, 8)
    with torch.no_grad():
        assert near(compiled(x), model(x))
        model.a.weight.data[0, 0] = 9.0
        assert near(compiled(x), model(x))


@pytest.mark.ge_only
def test_views_of_one_base_of_which_one_is_written():
    """AOTAutograd hands the graph a base of its own making, whose size at the call is not that of the tracing."""

    def f(x, y):
        x.mul_(2)
        return x + 1, y * 2

    start = torch.arange(24.0).reshape(6, 4)
    results = []
    for run in (f, torch.compile(f, backend="ge")):
        base = start.clone()
        with torch.no_grad():
            results.append((*run(base[::2], base.t()[:, 1:4]), base))
    for expected, found in zip(*results, strict=True):
        assert torch.equal(expected, found)


class DrawsANumber(torch.nn.Module):
    def forward(self, x):
        return x * random.random() if random.random() < 2 else x


def test_a_python_random_number_is_drawn_at_each_call():
    model, x = DrawsANumber(), torch.randn(5)
    compiled = torch.compile(model, backend="ge")
    for seed in (1, 2, 3):
        random.seed(seed)
        want = model(x)
        random.seed(seed)
        torch.testing.assert_close(compiled(x), want, rtol=1e-6, atol=1e-6)
