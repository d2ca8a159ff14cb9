"""`make demo`: three models written in this file, run in eager and through the ge backend, side by side.

A convolutional network of ResNet-50's size, a transformer encoder, and a decoding step that writes its key and value
caches in place. All have random weights. `python -m torch_ge.demo [--seconds S] [--quick]`.
"""

from __future__ import annotations

import argparse
import copy
import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any

import torch
import torch.nn as nn
import torch.nn.functional as F


class Bottleneck(nn.Module):
    """Three convolutions with a shortcut, as in a 50-layer residual network."""

    def __init__(self, inputs: int, width: int, stride: int) -> None:
        super().__init__()
        outputs = 4 * width

        def convolution(i: int, o: int, size: int, step: int = 1) -> nn.Sequential:
            return nn.Sequential(nn.Conv2d(i, o, size, step, size // 2, bias=False), nn.BatchNorm2d(o))

        self.body = nn.Sequential(
            convolution(inputs, width, 1), nn.ReLU(), convolution(width, width, 3, stride), nn.ReLU(), convolution(width, outputs, 1)
        )
        self.shortcut = nn.Identity() if inputs == outputs and stride == 1 else convolution(inputs, outputs, 1, stride)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.relu(self.body(x) + self.shortcut(x))


class ResidualNetwork(nn.Module):
    def __init__(self, depths: Sequence[int] = (3, 4, 6, 3), classes: int = 1000) -> None:
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64), nn.ReLU(), nn.MaxPool2d(3, 2, 1))
        blocks: list[nn.Module] = []
        inputs = 64
        for i, depth in enumerate(depths):
            width = 64 << i
            for j in range(depth):
                blocks.append(Bottleneck(inputs, width, 2 if i and not j else 1))
                inputs = 4 * width
        self.blocks = nn.Sequential(*blocks)
        self.head = nn.Linear(inputs, classes)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.head(self.blocks(self.stem(x)).mean((2, 3)))


class EncoderLayer(nn.Module):
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        batch, length, width = x.shape
        q, k, v = self.qkv(x).view(batch, length, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        attended = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(batch, length, width)
        x = self.norm1(x + self.out(attended))
        return self.norm2(x + self.down(F.gelu(self.up(x))))


class Encoder(nn.Module):
    def __init__(self, layers: int = 6, width: int = 512, heads: int = 8, vocabulary: int = 8000, length: int = 128) -> None:
        super().__init__()
        self.tokens, self.positions = nn.Embedding(vocabulary, width), nn.Embedding(length, width)
        self.layers = nn.Sequential(*(EncoderLayer(width, heads) for _ in range(layers)))

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        return self.layers(self.tokens(tokens) + self.positions(torch.arange(tokens.shape[1])))


class DecoderStep(nn.Module):
    """One token in, the logits of the next out; the caches are buffers and are written in place."""

    def __init__(self, layers: int = 6, width: int = 512, heads: int = 8, length: int = 256, vocabulary: int = 8000) -> None:
        super().__init__()
        self.heads, self.length = heads, length
        self.embedding = nn.Embedding(vocabulary, width)
        self.layers = nn.ModuleList(EncoderLayer(width, heads) for _ in range(layers))
        self.head = nn.Linear(width, vocabulary, bias=False)
        self.register_buffer("keys", torch.zeros(layers, 1, heads, length, width // heads))
        self.register_buffer("values", torch.zeros(layers, 1, heads, length, width // heads))

    def forward(self, token: torch.Tensor, position: torch.Tensor) -> torch.Tensor:
        x = self.embedding(token)
        mask = (torch.arange(self.length) <= position).view(1, 1, 1, -1)
        for i, layer in enumerate(self.layers):
            q, k, v = layer.qkv(x).view(1, 1, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
            keys, values = self.keys[i], self.values[i]
            keys.index_copy_(2, position, k)
            values.index_copy_(2, position, v)
            attended = F.scaled_dot_product_attention(q, keys, values, attn_mask=mask).transpose(1, 2).reshape(1, 1, -1)
            x = layer.norm1(x + layer.out(attended))
            x = layer.norm2(x + layer.down(F.gelu(layer.up(x))))
        return self.head(x)


def _vary_norms(model: nn.Module) -> nn.Module:
    """Gives norms weights and statistics other than (1, 0), so that they show in the result."""
    for module in model.modules():
        if isinstance(module, (nn.BatchNorm2d, nn.LayerNorm)):
            nn.init.uniform_(module.weight, 0.5, 1.5)
            nn.init.normal_(module.bias, std=0.1)
        if isinstance(module, nn.BatchNorm2d):
            nn.init.normal_(module.running_mean, std=0.1)  # type: ignore[arg-type]
            nn.init.uniform_(module.running_var, 0.5, 1.5)  # type: ignore[arg-type]
    return model.eval()


def models(quick: bool = False) -> dict[str, tuple[nn.Module, tuple[torch.Tensor, ...]]]:
    """The three models and their arguments; `quick` makes them small."""
    torch.manual_seed(0)
    size, layers = (64, 1) if quick else (224, 6)
    network = ResidualNetwork((1, 1, 1, 1)) if quick else ResidualNetwork()
    step = (torch.tensor([[5]]), torch.tensor([17]))
    return {
        "convolutional network": (_vary_norms(network), (torch.randn(1, 3, size, size),)),
        "transformer encoder": (_vary_norms(Encoder(layers)), (torch.randint(0, 8000, (1, 128)),)),
        "decoder step": (_vary_norms(DecoderStep(layers)), step),
    }


def _milliseconds(call: Callable[[], Any], seconds: float) -> float:
    for _ in range(3):
        call()
    times: list[float] = []
    end = time.perf_counter() + seconds
    while len(times) < 5 or time.perf_counter() < end:
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return statistics.median(times) * 1e3


def run_one(model: nn.Module, arguments: tuple[torch.Tensor, ...], seconds: float) -> dict[str, Any]:
    """Compares one model with eager: a row of the table, and its reports."""
    from .report import explain

    eager_model = copy.deepcopy(model)
    compiled = torch.compile(model, backend="ge")
    start = time.perf_counter()
    result = compiled(*arguments)
    first = time.perf_counter() - start
    expected = eager_model(*arguments)
    difference = float((result - expected).abs().max() / expected.abs().max())
    for a, b in zip(eager_model.buffers(), model.buffers(), strict=True):
        if a.is_floating_point() and a.numel():
            difference = max(difference, float((a - b).abs().max() / a.abs().max().clamp(min=1e-30)))
    return {
        "eager": _milliseconds(lambda: eager_model(*arguments), seconds),
        "ge": _milliseconds(lambda: compiled(*arguments), seconds),
        "difference": difference,
        "first": first,
        "graphs": explain(compiled).graphs,
    }


def main(argv: Sequence[str] | None = None) -> int:
    """Prints the table; returns 1 if a model's answer is further from eager's than 2e-5 of its largest value."""
    parser = argparse.ArgumentParser(prog="python -m torch_ge.demo", description=__doc__.split("\n\n")[0] if __doc__ else None)
    parser.add_argument("--seconds", type=float, default=2.0, help="time spent on each latency")
    parser.add_argument("--quick", action="store_true", help="small models, for a test")
    settings = parser.parse_args(argv)
    widths = {
        "model": -24,
        "eager ms": 10,
        "ge ms": 10,
        "difference": 12,
        "imported": 10,
        "left": 6,
        "native": 8,
        "fallback": 10,
        "compile s": 11,
    }
    columns = "".join(title.ljust(-width) if width < 0 else title.rjust(width) for title, width in widths.items())
    print(f"torch {torch.__version__}, {torch.get_num_threads()} threads, {torch.backends.cpu.get_cpu_capability()}")
    print("difference: |ge - eager|, largest, as a share of the largest value; left: compute nodes after optimisation\n")
    print(columns, flush=True)
    worst = 0.0
    with torch.no_grad():
        for name, (model, arguments) in models(settings.quick).items():
            row = run_one(model, arguments, settings.seconds)
            worst = max(worst, row["difference"])
            graphs = row["graphs"]
            imported, left, native = (sum(getattr(g, f) for g in graphs) for f in ("nodes_imported", "compute_nodes", "native_nodes"))
            fallback = sum(sum(g.fallback_nodes.values()) for g in graphs)
            print(
                f"{name:24s}{row['eager']:10.2f}{row['ge']:10.2f}{row['difference']:12.1e}{imported:10d}{left:6d}{native:8d}{fallback:10d}{row['first']:11.2f}",
                flush=True,
            )
    if worst > 2e-5:
        print(f"\nFAILED: a difference of {worst:.1e} is over 2e-5")
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
