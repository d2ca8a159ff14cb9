"""Batch norms, factors and terms behind convolutions and products go into their weights: near eager, in inference only, and
a write to any of the weights is seen."""

import copy

import pytest
import torch
import torch.nn as nn

import torch_ge

pytestmark = pytest.mark.ge_only

NEAR = 1e-5  # of the largest value
FOLDS = ("conv-batch-norm-fold", "conv-scale-fold", "conv-bias-fold", "linear-batch-norm-fold")


def near(a, b):
    return a.dtype == b.dtype and a.shape == b.shape and a.stride() == b.stride() and float((a - b).abs().max() / b.abs().max()) <= NEAR


def folds(compiled):
    """How often each rule fired, over all graphs."""
    counts = dict.fromkeys(FOLDS, 0)
    for graph in torch_ge.explain(compiled).graphs:
        for name, row in graph.passes.items():
            if name in counts:
                counts[name] += row.changes
    return counts


def lively(module):
    """Evaluation mode, with statistics and affine parameters that show."""
    for m in module.modules():
        if isinstance(m, nn.modules.batchnorm._BatchNorm):
            m.running_mean.normal_()
            m.running_var.uniform_(0.5, 2)
            if m.affine:
                m.weight.data.normal_()
                m.bias.data.normal_()
    return module.eval()


LAYERS = {
    "conv1d": (lambda: [nn.Conv1d(4, 6, 3), nn.BatchNorm1d(6)], (2, 4, 9)),
    "conv2d": (lambda: [nn.Conv2d(4, 6, 3, stride=2, padding=1), nn.BatchNorm2d(6)], (2, 4, 9, 9)),
    "conv2d without bias": (lambda: [nn.Conv2d(4, 6, 3, bias=False), nn.BatchNorm2d(6, eps=0.1)], (2, 4, 9, 9)),
    "grouped": (lambda: [nn.Conv2d(4, 6, 3, groups=2), nn.BatchNorm2d(6, affine=False)], (2, 4, 9, 9)),
    "depthwise": (lambda: [nn.Conv2d(4, 8, 3, groups=4, bias=False), nn.BatchNorm2d(8)], (2, 4, 9, 9)),
    "conv3d": (lambda: [nn.Conv3d(4, 6, 2), nn.BatchNorm3d(6)], (2, 4, 5, 5, 5)),
    "transposed": (lambda: [nn.ConvTranspose2d(4, 6, 3, stride=2, output_padding=1), nn.BatchNorm2d(6)], (2, 4, 5, 5)),
    "transposed, grouped": (lambda: [nn.ConvTranspose2d(4, 6, 3, groups=2, bias=False), nn.BatchNorm2d(6)], (2, 4, 5, 5)),
    "transposed 1d, grouped": (lambda: [nn.ConvTranspose1d(6, 4, 3, groups=2), nn.BatchNorm1d(4)], (2, 6, 5)),
    "transposed 3d": (lambda: [nn.ConvTranspose3d(4, 6, 2), nn.BatchNorm3d(6)], (1, 4, 3, 3, 3)),
    "linear": (lambda: [nn.Linear(7, 5), nn.BatchNorm1d(5)], (4, 7)),
    "linear without bias": (lambda: [nn.Linear(7, 5, bias=False), nn.BatchNorm1d(5, affine=False)], (4, 7)),
}


# Channels last is a format of four axes.
FORMATS = [(name, False) for name in LAYERS] + [(name, True) for name, (_, shape) in LAYERS.items() if len(shape) == 4]


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize(("name", "channels_last"), FORMATS)
def test_a_norm_goes_into_the_layer_before_it(name, dtype, channels_last, backend):
    layers, shape = LAYERS[name]
    model, x = lively(nn.Sequential(*layers())).to(dtype), torch.randn(shape, dtype=dtype)
    if channels_last:
        model, x = model.to(memory_format=torch.channels_last), x.to(memory_format=torch.channels_last)
    compiled = torch.compile(model, backend=backend, dynamic=False)
    with torch.no_grad():
        for _ in range(2):
            assert near(compiled(x), model(x))
        assert sum(folds(compiled).values()) == 1, torch_ge.explain(compiled)
        for parameter in [*model.parameters(), *(b for b in model.buffers() if b.is_floating_point())]:
            parameter.mul_(1.5)
            assert near(compiled(x), model(x))


class Scaled(nn.Module):
    def __init__(self, bias):
        super().__init__()
        self.conv = nn.Conv2d(3, 5, 3, bias=bias)
        self.shift = nn.Parameter(torch.randn(5, 1, 1))
        self.scale = nn.Parameter(torch.randn(1, 5, 1, 1))
        self.all = nn.Parameter(torch.rand(()) + 1)

    def forward(self, x):
        return (0.5 * ((self.conv(x) + self.shift) * self.scale) - self.shift) / self.all - 1.5


@pytest.mark.parametrize("bias", [False, True])
def test_factors_and_terms_go_into_the_convolution(bias, backend):
    model, x = Scaled(bias), torch.randn(2, 3, 8, 8)
    compiled = torch.compile(model, backend=backend)
    with torch.no_grad():
        assert near(compiled(x), model(x))
        assert folds(compiled) == {"conv-batch-norm-fold": 0, "conv-scale-fold": 3, "conv-bias-fold": 3, "linear-batch-norm-fold": 0}
        [graph] = torch_ge.explain(compiled).graphs
        assert graph.compute_nodes == 1
        model.shift.data.mul_(2)
        model.scale.neg_()
        assert near(compiled(x), model(x))


def test_axis_1_of_a_sequence_is_not_the_columns(backend):
    model, x = lively(nn.Sequential(nn.Linear(7, 5), nn.BatchNorm1d(3))), torch.randn(4, 3, 7)
    compiled = torch.compile(model, backend=backend)
    with torch.no_grad():
        assert near(compiled(x), model(x))
    assert sum(folds(compiled).values()) == 0


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_precision_keeps_its_rounding(dtype, backend):
    model, x = lively(nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4))).to(dtype), torch.randn(1, 3, 6, 6, dtype=dtype)
    compiled = torch.compile(model, backend=backend)
    with torch.no_grad():
        assert torch.equal(compiled(x), model(x))
    assert sum(folds(compiled).values()) == 0


def test_training_graphs_are_left_alone(backend):
    model = lively(nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.Conv2d(4, 4, 1)))
    twin, x = copy.deepcopy(model), torch.randn(2, 3, 6, 6)
    compiled = torch.compile(model, backend=backend)
    for training in (False, True):  # evaluation with gradients is training to the compiler: the weights may change
        model.train(training)
        twin.train(training)
        result = compiled(x)
        assert torch.equal(result, twin(x))
        result.sum().backward()
        twin(x).sum().backward()
    assert sum(folds(compiled).values()) == 0


@pytest.mark.parametrize("level", ["O1", "O2"])
def test_only_at_o3(level, backend):
    model, x = lively(nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4))), torch.randn(1, 3, 6, 6)
    compiled = torch.compile(model, backend=backend, options={"ge.oo.level": level})
    with torch.no_grad():
        assert near(compiled(x), model(x))
    assert sum(folds(compiled).values()) == 0
    [graph] = torch_ge.explain(compiled).graphs
    assert any(name == "conv-batch-norm-fold" and "O3" in why for _, name, why in graph.switched_off)
