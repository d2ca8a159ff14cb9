"""Programs that look like a fusable pattern and are not, or only almost: other axes, constants, readers, writes, dtypes."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from programs import calls, collect, program


def stir(norm):
    """Gives a norm layer statistics and weights that show in the result."""
    if norm.running_mean is not None:
        norm.running_mean.uniform_(-1, 1)
        norm.running_var.uniform_(0.2, 3)
    if norm.affine:
        norm.weight.data.uniform_(-2, 2)
        norm.bias.data.uniform_(-1, 1)
    return norm


@program(context=torch.no_grad)
def convolution_and_norm_with_groups():
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.a, self.na = nn.Conv2d(4, 6, 3, groups=2, bias=False, padding=1), stir(nn.BatchNorm2d(6))
            self.b, self.nb = nn.Conv1d(4, 4, 3, groups=4, dilation=2), stir(nn.BatchNorm1d(4, affine=False))
            self.c, self.nc = nn.Conv3d(2, 3, 2), stir(nn.BatchNorm3d(3, eps=0.1))
            self.d, self.nd = nn.ConvTranspose2d(4, 6, 3, stride=2, groups=2), stir(nn.BatchNorm2d(6))

        def forward(self, x, y, z):
            u = self.na(self.a(x))
            return (
                u,
                self.na(self.a(x + u[:, :4])),
                self.nb(self.b(y)),
                self.nc(self.c(z)).relu(),
                self.nd(self.d(x)),
                self.na(self.a(x)) + u,
            )

    return Net().eval(), [(torch.randn(2, 4, 5, 5), torch.randn(2, 4, 9), torch.randn(1, 2, 3, 3, 3))]


@program()
def convolution_and_norm_in_train_mode():
    m = nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.Conv2d(4, 2, 1), nn.BatchNorm2d(2, track_running_stats=False))
    m.append(stir(nn.BatchNorm2d(2)).eval())
    return m, [(torch.randn(2, 3, 6, 6),), (torch.randn(2, 3, 6, 6),)]


@program(context=torch.no_grad)
def linear_and_norm():
    m = nn.Sequential(nn.Linear(4, 6), stir(nn.BatchNorm1d(6)), nn.ReLU(), nn.Linear(6, 3, bias=False), stir(nn.BatchNorm1d(3)))
    return m.eval(), [(torch.randn(5, 4),), (torch.randn(1, 4),)]


@program(context=torch.no_grad)
def norm_before_convolution_with_padding():
    m = nn.Sequential(
        stir(nn.BatchNorm2d(3)),
        nn.Conv2d(3, 4, 3, padding=1),
        nn.Conv2d(4, 4, 3, padding=1, padding_mode="reflect"),
        stir(nn.BatchNorm2d(4)),
    )
    return m.eval(), [(torch.randn(1, 3, 5, 5),)]


@program(context=torch.no_grad)
def convolution_plus_constants_that_are_no_bias():
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.c = nn.Conv2d(6, 6, 1, groups=3)
            for name, shape in {"full": (1, 6, 4, 4), "channel": (1, 6, 1, 1), "row": (4, 1), "wide": (3, 6, 1, 1), "last": (4,)}.items():
                self.register_buffer(name, torch.randn(shape))

        def forward(self, x):
            y = self.c(x)
            return (
                y + self.full,
                self.c(x) + self.channel,
                self.c(x) * self.row,
                self.c(x) + self.wide,
                self.c(x) + self.last,
                self.c(x) * self.channel - self.full,
                2 - self.c(x),
            )

    return Net().eval(), [(torch.randn(1, 6, 4, 4),)]


@calls((torch.randn(3, 3), torch.randn(3, 4), torch.randn(2, 3, 3)))
def products_plus_terms_that_are_no_bias(a, b, c):
    p, q = a @ b, c @ b
    return (
        p + torch.ones(1, 4) * 2, (a @ b[:, :1]) + torch.arange(4.0), p + torch.arange(3.0).unsqueeze(1), p + 5, p + torch.tensor(1.5), p + torch.ones(2, 3, 4), q + torch.arange(4.0),
        q + torch.ones(3, 1), (a @ b[:, 0]) + torch.ones(3), (a @ b[:, :1]) + torch.ones(3, 1, 1), torch.arange(4.0) - p, p * torch.arange(4.0), q + q, p + a[:, :1], (a[0] @ b) + torch.ones(2, 4),
        a[0] @ a[1] + torch.ones(3), torch.addmm(torch.ones(4), a, b, beta=0.5, alpha=2), torch.addmm(torch.full((4,), float("nan")), a, b, beta=0), torch.baddbmm(torch.ones(2, 3, 1), c, c),
    )  # fmt: skip


@program(context=torch.no_grad)
def inner_values_that_are_results_too():
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.l, self.c, self.b = nn.Linear(4, 4), nn.Conv2d(2, 2, 1), stir(nn.BatchNorm2d(2))

        def forward(self, x, y):
            h = self.l(x)
            r = torch.relu(h)
            m = x @ x.t()
            k = self.c(y)
            n = self.b(k)
            return h, r, h.sum() + r.sum(), m, m + 1, torch.sigmoid(h) * h, k, n, (k - n).abs(), torch.softmax(m, -1), m.exp()

    return Net().eval(), [(torch.randn(4, 4), torch.randn(1, 2, 3, 3))]


@calls((torch.randn(2, 3), torch.randn(3, 4), torch.randn(4)))
def writes_between_the_halves_of_a_pattern(x, w, b):
    h = x @ w
    b.mul_(2)
    y = h + b
    w.add_(1)
    z = x @ w + b
    s = torch.sigmoid(z)
    z.mul_(2)
    return y, z, torch.relu(z), z * s


def _norm(x, dim, unbiased, eps=1e-5):
    return (x - x.mean(dim, keepdim=True)) / torch.sqrt(x.var(dim, unbiased=unbiased, keepdim=True) + eps)


@calls((torch.randn(2, 3, 4),))
def hand_written_norms(x):
    rms = x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6)
    other = (x - x.mean(-1, keepdim=True)) / torch.sqrt(x.var(1, unbiased=False, keepdim=True) + 1e-5)
    outside = (x - x.mean(-1, keepdim=True)) / (x.std(-1, keepdim=True) + 1e-5)
    return (
        _norm(x, -1, False), _norm(x, 0, False), _norm(x, (1, 2), False), _norm(x, -1, True), _norm(x, -1, False, 0.5), other, outside, rms, rms * torch.arange(4.0),
        F.layer_norm(torch.log2(torch.zeros(2, 1)), (1,)), F.layer_norm(x, (3, 4)), F.layer_norm(x, (4,), eps=0.5), F.layer_norm(x, (4,), torch.arange(4.0)), F.group_norm(x, 3), F.rms_norm(x, (4,)),
        F.instance_norm(x), F.normalize(x, dim=1), F.local_response_norm(x, 2),
    )  # fmt: skip


@calls((torch.linspace(-6, 6, 25),))
def gelu_and_near_misses(x):
    r = 2**0.5
    return (
        x * 0.5 * (1.0 + torch.erf(x / r)), 0.5 * x * (1 + torch.tanh(0.7978845608 * (x + 0.044715 * x**3))), x * (1.0 + torch.erf(x / r)), x * 0.5 * (1.0 + torch.erf(x / 1.5)),
        x * 0.5 * (1.0 + torch.erf(x.flip(0) / r)), x.flip(0) * 0.5 * (1 + torch.erf(x / r)), F.gelu(x, approximate="tanh"), F.gelu(x), 0.5 * x * (1 + torch.tanh(0.7978845608 * (x + 0.04 * x**3))),
        0.5 * x * (1 + torch.tanh(0.7978845608 * (x + 0.044715 * x**2))), x * 0.5 * (2.0 + torch.erf(x / r)), x * torch.sigmoid(1.702 * x),
    )  # fmt: skip


@calls((torch.linspace(-6, 6, 25),))
def activations_by_hand_and_near_misses(x):
    return (
        x * torch.sigmoid(x), x * torch.sigmoid(2 * x), x * torch.sigmoid(x.flip(0)), x / (1 + torch.exp(-x)), x * torch.tanh(F.softplus(x)), torch.clamp(x, 0, 6), torch.clamp(x, 0, 6) / 6,
        x * torch.clamp(x + 3, 0, 6) / 6, x * torch.clamp(x + 3, 0, 5) / 6, torch.where(x > 0, x, 0.1 * x), torch.where(x >= 0, 0.1 * x, x), torch.maximum(x, torch.zeros(())), torch.maximum(x, 0.1 * x),
        F.hardswish(x), F.hardsigmoid(x), F.silu(x), F.mish(x), F.elu(x, 0.5), F.leaky_relu(x, -0.2), F.softplus(x, 2, 3), F.relu6(x), F.softshrink(x), F.hardshrink(x), F.celu(x, 2.0), F.selu(x), F.logsigmoid(x),
        F.hardtanh(x, -2, 1), F.threshold(x, 1, -5), F.tanhshrink(x), F.glu(x[:24]), F.softsign(x),
    )  # fmt: skip


@calls((torch.randn(3, 5) * 20,))
def softmax_by_hand_and_near_misses(x):
    e = torch.exp(x - x.amax(-1, keepdim=True))
    return (
        e / e.sum(-1, keepdim=True),
        e / e.sum(0, keepdim=True),
        torch.exp(x / 9) / torch.exp(x / 9).sum(-1, keepdim=True),
        torch.log(torch.softmax(x / 9, -1)),
        torch.log_softmax(x, 0),
        x.softmax(-1).softmax(0),
        torch.softmax(x.half(), -1, dtype=torch.float32),
        F.softmin(x, 0),
        x.logsumexp(-1),
        x - x.logsumexp(-1, keepdim=True),
    )


@calls((torch.randn(4, 6),))
def reductions_that_share_their_input(x):
    a, b, m = x.amax(1), x.amin(1), x.mean(1)
    z = (x - b[:, None]) / (a - b)[:, None].clamp(min=1e-6)
    s = x.tan() - x.tan()
    return (
        z.argmax(1),
        z,
        s.argmax(1),
        a - m,
        x.min(),
        x.std(0),
        x.norm(dim=1),
        torch.var_mean(x, 1),
        x.sum() / x.numel(),
        x.square().sum(1).sqrt(),
        x.abs().sum(0),
        (x - m[:, None]).square().mean(),
    )


@calls((torch.randn(2, 3, 4),))
def pairs_of_transposes_and_reshapes(x):
    return (
        x.transpose(1, 2).transpose(1, 2) + 1, x.permute(2, 0, 1).permute(1, 2, 0) * 2, x.permute(2, 0, 1).permute(2, 0, 1), x.reshape(6, 4).reshape(2, 3, 4) + 1, x.transpose(1, 2).reshape(2, 3, 4),
        x.permute(0, 2, 1).reshape(8, 3).t() @ torch.ones(8, 1), x.flatten(1).unflatten(1, (3, 4)) - 1, x.unsqueeze(1).squeeze(1) * 3, x.expand(2, 3, 4) + x[:1].expand(2, 3, 4), x.transpose(0, 1).contiguous().view(3, 8),
    )  # fmt: skip


@calls((torch.randn(4), torch.randn(4)))
def algebra_that_only_holds_for_reals(a, b):
    big = torch.tensor([1e38, -1e38, 3e38, 1.0])
    return (
        (a + b) - b,
        (big + big) - big,
        (a * 1e-30) * 1e30,
        a * b / b,
        (big * 10) / 10,
        a - (a - b),
        1 / (1 / a),
        torch.sqrt(a * a),
        torch.exp(torch.log(a)),
        torch.log(torch.exp(big)),
        (a / 3) * 3,
        a / 3 - a * (1 / 3),
        torch.rsqrt(big) * torch.rsqrt(big),
    )


test_fusion = collect(globals())
