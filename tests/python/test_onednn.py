"""What the oneDNN engine does to whole models: NaN, strides, accuracy, bf16, LSTM."""

import copy
import itertools

import pytest
import torch
from torch import nn

import torch_ge


@pytest.fixture(autouse=True)
def inference():
    torch.manual_seed(0)
    with torch.no_grad():
        yield


def _nodes(compiled):
    return [n for n in compiled.report["nodes"] if "runs once a set of weights" not in n["notes"]]


def _engines(compiled):
    return {n["type"]: n.get("engine") for n in _nodes(compiled)}


class Residual(nn.Module):
    """Convolutions with what usually stands around them."""

    def __init__(self):
        super().__init__()
        self.first = nn.Sequential(nn.Conv2d(3, 16, 3, padding=1, bias=False), nn.BatchNorm2d(16), nn.ReLU6())
        self.depthwise = nn.Sequential(nn.Conv2d(16, 16, 3, padding=1, groups=16), nn.Hardswish())
        self.second = nn.Conv2d(16, 16, 1)
        self.up = nn.ConvTranspose2d(16, 8, 2, stride=2)
        self.last = nn.Linear(8, 5)

    def forward(self, x):
        y = self.first(x)
        y = torch.relu(y + self.second(self.depthwise(y)))
        y = torch.nn.functional.silu(self.up(nn.functional.max_pool2d(y, 2)))
        return self.last(y.mean((2, 3))), y


def test_channels_last_inside_eagers_strides_outside():
    model, x = Residual().eval(), torch.randn(2, 3, 16, 16)
    want = model(x)
    compiled = torch_ge.compile(model, x)
    got = compiled(x)
    for a, b in zip(got, want, strict=True):
        torch.testing.assert_close(a, b, rtol=1e-5, atol=1e-5)
        assert a.stride() == b.stride()
    assert compiled.report["tasks"] < 20
    made_by = [note for n in _nodes(compiled) for note in n["notes"] if note.startswith("made by")]
    assert any("layout-assignment" in m for m in made_by) and any("epilogue-fusion" in m for m in made_by)


def test_a_channels_last_model_stays_one():
    model = Residual().eval().to(memory_format=torch.channels_last)
    x = torch.randn(2, 3, 16, 16).to(memory_format=torch.channels_last)
    want = model(x)
    got = torch.compile(model, backend="ge")(x)
    for a, b in zip(got, want, strict=True):
        torch.testing.assert_close(a, b, rtol=1e-5, atol=1e-5)
        assert a.stride() == b.stride()


@pytest.mark.parametrize("poison", [float("nan"), float("inf"), -float("inf")])
@pytest.mark.parametrize("activation", [nn.ReLU(), nn.ReLU6(), nn.Hardtanh(), nn.LeakyReLU(0.1)])
def test_special_values_pass_through_fused_activations(activation, poison):
    model = nn.Sequential(nn.Conv2d(4, 8, 3, padding=1), activation, nn.Conv2d(8, 8, 1), activation).eval()
    x = torch.randn(1, 4, 12, 12)
    compiled = torch_ge.compile(model, x)
    for _ in range(2):  # clean calls before and after
        torch.testing.assert_close(compiled(x), model(x), rtol=1e-5, atol=1e-5)
        bad = x.clone()
        bad[0, 2, 5, 7] = poison
        torch.testing.assert_close(compiled(bad), model(bad), rtol=1e-5, atol=1e-5, equal_nan=True)


def test_nan_weights_are_seen():
    model = nn.Sequential(nn.Linear(64, 64), nn.ReLU()).eval()
    x = torch.randn(3, 64)
    compiled = torch_ge.compile(model, x)
    compiled(x)
    model[0].weight[5, 5] = float("nan")
    torch.testing.assert_close(compiled(x), model(x), rtol=1e-5, atol=1e-5, equal_nan=True)


@pytest.mark.parametrize(
    ("bidirectional", "batch_first", "layers", "bias"), list(itertools.product([False, True], [False, True], [1, 2], [True, False]))
)
def test_an_exported_lstm_runs_layer_by_layer(bidirectional, batch_first, layers, bias):
    model = nn.LSTM(12, 16, layers, batch_first=batch_first, bidirectional=bidirectional, bias=bias).eval()
    x = torch.randn(3, 5, 12)
    want = model(x)
    compiled = torch_ge.compile(model, x)
    got = compiled(x)
    for a, b in zip((got[0], *got[1]), (want[0], *want[1]), strict=True):
        torch.testing.assert_close(a, b, rtol=1e-5, atol=1e-6)
        assert a.stride() == b.stride()
    assert _engines(compiled)["MkldnnRnnLayer"] == "onednn"


@pytest.mark.parametrize("channels", [64, 256, 512])
def test_long_sums_are_as_exact_as_eager_within_a_factor(channels):
    model, x = nn.Conv2d(channels, 48, 3, padding=1).eval(), torch.randn(1, channels, 10, 10).relu()
    exact = copy.deepcopy(model).double()(x.double())

    def error(y):
        return ((y - exact).square().mean().sqrt() / exact.square().mean().sqrt()).item()

    assert error(torch_ge.compile(model, x)(x)) <= 4 * error(model(x)) + 1e-8


def test_bf16_models_are_as_near_to_float64_as_eager():
    model = Residual().eval()
    x = torch.randn(2, 3, 16, 16)
    exact = copy.deepcopy(model).double()(x.double())
    half = copy.deepcopy(model).bfloat16()
    want = half(x.bfloat16())
    compiled = torch_ge.compile(half, x.bfloat16())
    got = compiled(x.bfloat16())
    for a, b, e in zip(got, want, exact, strict=True):
        assert a.dtype is torch.bfloat16 and a.stride() == b.stride()
        assert (a - e).square().mean().sqrt() <= 2 * (b - e).square().mean().sqrt() + 1e-3
    engines = {n.get("engine") for n in _nodes(compiled) if n["type"] in ("Conv2D", "MatMulV2", "FusedRegion")}
    assert "onednn" in engines


def test_normalisations_run_on_the_simd_engine():
    model = nn.Sequential(nn.LayerNorm(96), nn.RMSNorm(96)).eval()
    x = torch.randn(7, 96)
    compiled = torch_ge.compile(model, x)
    torch.testing.assert_close(compiled(x), model(x), rtol=1e-5, atol=1e-6)
    assert _engines(compiled) == {"LayerNormV4": "simd", "RmsNorm": "simd"}


def test_the_plain_call_checks_its_inputs():
    compiled = torch_ge.compile(nn.Linear(8, 4), torch.randn(2, 8))
    for wrong in (torch.randn(3, 8), torch.randn(2, 8).double(), torch.randn(8)):
        with pytest.raises(ValueError, match="compiled for a tensor of"):
            compiled(wrong)
    with pytest.raises(ValueError, match="structure"):
        compiled(torch.randn(2, 8), torch.randn(2, 8))
    assert not compiled(torch.randn(2, 8)).requires_grad


def test_winograds_algorithm_follows_its_weights_and_its_switch():
    model = nn.Sequential(nn.Conv2d(32, 48, 3, padding=1), nn.ReLU(), nn.Conv2d(48, 32, 3, padding=1)).eval()
    x = torch.randn(2, 32, 15, 18)
    compiled, off = torch_ge.compile(model, x), torch_ge.compile(model, x, options={"ge.optimizationSwitch": "winograd:off"})
    assert compiled.text.count('_algorithm="winograd"') == 2 and "winograd" not in off.text
    for _ in range(2):
        want = model(x)
        for run in (compiled, off):
            torch.testing.assert_close(run(x), want, rtol=1e-5, atol=1e-5)
            assert run(x).stride() == want.stride()
        with torch.no_grad():
            model[0].weight.mul_(-2)
            model[2].bias.add_(1)


def test_errors_of_convolutions_are_at_most_twice_eagers():
    model, x = nn.Sequential(*(nn.Conv2d(64, 64, 3, padding=1) for _ in range(4))).eval(), torch.randn(1, 64, 30, 30)
    want = model.double()(x.double())
    eager = model.float()(x)
    compiled = torch_ge.compile(model, x)
    assert compiled.text.count('_algorithm="winograd"') == 4
    assert (compiled(x).double() - want).abs().max() <= 2 * (eager.double() - want).abs().max()
