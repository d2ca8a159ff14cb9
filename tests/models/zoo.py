"""Ten models with random weights: what the backend must run with eager's answers and fast.

`make(name)` gives `(module in eval mode, example arguments)`, always the same for a name. Constant 1-d parameters and
normalisation statistics get values that show in the output (`enliven`): fresh networks leave norms at (1, 0), where a
mistake in folding a norm cannot be seen.
"""

import functools
import glob
import importlib.util
import os
import sys

import torch
import torch.nn as nn
import torch.nn.functional as F


def enliven(module, seed=1):
    """Replaces constant 1-d parameters and statistics of batch norms by seeded random values; returns the module."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, p in module.named_parameters():
            if p.dim() == 1 and p.numel() > 1 and bool((p == p[0]).all()):
                shift = "bias" in name or "beta" in name
                p.copy_(torch.randn(p.shape, generator=generator) * 0.1 if shift else torch.rand(p.shape, generator=generator) + 0.5)
        for m in module.modules():
            if isinstance(m, nn.modules.batchnorm._BatchNorm) and m.running_mean is not None:
                m.running_mean.copy_(torch.randn(m.running_mean.shape, generator=generator) * 0.1)
                m.running_var.copy_(torch.rand(m.running_var.shape, generator=generator) + 0.5)
    return module


@functools.cache
def _declare_torchvision():
    """timm and transformers import torchvision; PyPI's wheel, built for torch with CUDA, has no operators beside another torch.

    Decided before the first import: one that fails leaves half a package behind.
    """
    found = importlib.util.find_spec("torchvision")
    if found is None or "torchvision" in sys.modules:
        return None
    try:
        for library in glob.glob(os.path.join(os.path.dirname(found.origin), "_C*.so")):
            torch.ops.load_library(library)
        torch.ops.torchvision.nms  # noqa: B018
        return None
    except (OSError, AttributeError):
        library = torch.library.Library("torchvision", "DEF")
        library.define("nms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
        library.define("qnms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
        return library  # kept by the cache: its end would take the operators away


class Pick(nn.Module):
    """Runs a transformers model and returns one field of its output."""

    def __init__(self, model, field):
        super().__init__()
        self.model, self.field = model, field

    def forward(self, tokens):
        return getattr(self.model(tokens), self.field)


class Decoder(nn.Module):
    """One decoding step of a language model; the key and value caches are buffers, written in place."""

    def __init__(self, layers=6, width=512, heads=8, length=256, vocabulary=8000):
        super().__init__()
        self.heads, self.length, self.layers = heads, length, layers
        self.embedding = nn.Embedding(vocabulary, width)

        def stack(make):
            return nn.ModuleList(make() for _ in range(layers))

        self.qkv = stack(lambda: nn.Linear(width, 3 * width, bias=False))
        self.out = stack(lambda: nn.Linear(width, width, bias=False))
        self.up = stack(lambda: nn.Linear(width, 4 * width))
        self.down = stack(lambda: nn.Linear(4 * width, width))
        self.norm1 = stack(lambda: nn.RMSNorm(width))
        self.norm2 = stack(lambda: nn.RMSNorm(width))
        self.head = nn.Linear(width, vocabulary, bias=False)
        for i in range(layers):
            for kind in ("key", "value"):
                self.register_buffer(f"{kind}{i}", torch.zeros(1, heads, length, width // heads))

    def forward(self, token, position):
        x = self.embedding(token)
        mask = (torch.arange(self.length) <= position).view(1, 1, 1, self.length)
        for i in range(self.layers):
            parts = self.qkv[i](self.norm1[i](x)).view(1, 1, 3, self.heads, -1).unbind(2)
            q, k, v = (part.transpose(1, 2) for part in parts)
            keys, values = getattr(self, f"key{i}"), getattr(self, f"value{i}")
            keys.index_copy_(2, position, k)
            values.index_copy_(2, position, v)
            attended = F.scaled_dot_product_attention(q, keys, values, attn_mask=mask)
            x = x + self.out[i](attended.transpose(1, 2).reshape(1, 1, -1))
            x = x + self.down[i](F.gelu(self.up[i](self.norm2[i](x)), approximate="tanh"))
        return self.head(x)


class Recommender(nn.Module):
    """Dense features, eight embedding bags, and the pairwise products of all of them."""

    def __init__(self, tables=8, width=16):
        super().__init__()
        self.dense = nn.Sequential(nn.Linear(13, 64), nn.ReLU(), nn.Linear(64, width), nn.ReLU())
        self.bags = nn.ModuleList(nn.EmbeddingBag(1000, width, mode="sum") for _ in range(tables))
        pairs = torch.tril_indices(tables + 1, tables + 1, -1)
        self.register_buffer("rows", pairs[0])
        self.register_buffer("columns", pairs[1])
        self.top = nn.Sequential(nn.Linear(width + pairs.shape[1], 64), nn.ReLU(), nn.Linear(64, 1), nn.Sigmoid())

    def forward(self, dense, ids):
        x = self.dense(dense)
        vectors = torch.stack([x] + [bag(ids[:, j]) for j, bag in enumerate(self.bags)], 1)
        products = torch.bmm(vectors, vectors.transpose(1, 2))
        return self.top(torch.cat([x, products[:, self.rows, self.columns]], 1))


class Chain(nn.Module):
    """Element-wise work and row reductions only: bound by memory."""

    def forward(self, x, y):
        z = torch.sigmoid(x) * y + torch.tanh(y) * x
        z = torch.where(z > 0, z, 0.1 * z)
        mean = z.mean(-1, keepdim=True)
        variance = ((z - mean) ** 2).mean(-1, keepdim=True)
        return (z - mean) * torch.rsqrt(variance + 1e-5) * torch.exp(-y.abs())


class SmallUNet(nn.Module):
    """Two levels down and up, group norms, skip connections."""

    def __init__(self, c=32):
        super().__init__()

        def block(i, o):
            convs = [nn.Conv2d(i, o, 3, padding=1), nn.Conv2d(o, o, 3, padding=1)]
            return nn.Sequential(*(layer for conv in convs for layer in (conv, nn.GroupNorm(8, o), nn.SiLU())))

        self.down1, self.down2, self.middle = block(4, c), block(c, 2 * c), block(2 * c, 4 * c)
        self.up2, self.up1, self.out = block(6 * c, 2 * c), block(3 * c, c), nn.Conv2d(c, 4, 1)

    def forward(self, x):
        a = self.down1(x)
        b = self.down2(F.max_pool2d(a, 2))
        m = self.middle(F.avg_pool2d(b, 2))
        u = self.up2(torch.cat([F.interpolate(m, scale_factor=2, mode="nearest"), b], 1))
        return self.out(self.up1(torch.cat([F.interpolate(u, scale_factor=2, mode="nearest"), a], 1)))


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm, self.last = nn.LSTM(128, 256, 2, batch_first=True), nn.Linear(256, 10)

    def forward(self, x):
        return self.last(self.lstm(x)[0][:, -1])


def _image_model(name):
    def build():
        _declare_torchvision()
        import timm

        model = timm.create_model(name, pretrained=False)
        return model, (torch.randn(1, 3, 224, 224),)

    return build


def _bert():
    _declare_torchvision()
    from transformers import BertConfig, BertModel

    return Pick(BertModel(BertConfig(num_hidden_layers=6)), "last_hidden_state"), (torch.randint(0, 30000, (1, 128)),)


def _gpt2():
    _declare_torchvision()
    from transformers import GPT2Config, GPT2LMHeadModel

    return Pick(GPT2LMHeadModel(GPT2Config(n_layer=6, use_cache=False)), "logits"), (torch.randint(0, 50000, (1, 64)),)


def _mlp():
    layers = (nn.Linear(64, 64), nn.GELU(), nn.LayerNorm(64), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, 8))
    return nn.Sequential(*layers), (torch.randn(4, 64),)


MODELS = {
    "mlp": _mlp,
    "dlrm": lambda: (Recommender(), (torch.randn(16, 13), torch.randint(0, 1000, (16, 8, 4)))),
    "pointwise": lambda: (Chain(), (torch.randn(2048, 1024), torch.randn(2048, 1024))),
    "decode": lambda: (Decoder(), (torch.tensor([[5]]), torch.tensor([17]))),
    "unet": lambda: (SmallUNet(), (torch.randn(1, 4, 64, 64),)),
    "lstm": lambda: (Recurrent(), (torch.randn(4, 64, 128),)),
    "resnet50": _image_model("resnet50"),
    "mobilenetv2": _image_model("mobilenetv2_100"),
    "bert": _bert,
    "gpt2": _gpt2,
}


def make(name):
    """`(module, arguments)` of one of MODELS."""
    torch.manual_seed(0)
    module, arguments = MODELS[name]()
    return enliven(module.eval()), arguments
