"""Tensors of unusual rank and size, NaN and infinity, complex numbers, containers, unused inputs."""

import torch
import torch.nn.functional as F
from programs import calls, collect, program

NAN, INF = float("nan"), float("inf")


@calls((torch.tensor(2.5), torch.tensor(3, dtype=torch.int8)))
def zero_dim_tensors(x, n):
    return (
        x.cumsum(0), x.max(0), x.softmax(0), x.sort(), x.flatten(), x.sum(dim=-1), n.cumsum(-1), n.prod(), n.argmax(), x.unsqueeze(0).squeeze(), x.mean(), x.expand(2, 3), x.repeat(2), x.reshape(1, 1), x.topk(1), x.var(unbiased=False),
        x.t(), x.amax(), x.norm(), n.sum(), torch.stack([x, x]), x.flip(()), x.clamp(max=n), x.logsumexp(0), x.index_select(0, torch.tensor([0])), x.gather(0, torch.tensor(0)), x[None] @ x[None], x.masked_fill(x > 0, 1), x.nonzero(),
    )  # fmt: skip


@calls((torch.zeros(0, 4),), (torch.zeros(0, 4, dtype=torch.float64),))
def empty_tensors(x):
    one = torch.ones(1, 4, dtype=x.dtype)
    return (
        x.sum(), x.prod(0), x.mean(), x.sum(1), x.any(), x.all(0), x @ one.t().expand(4, 2), x.t() @ x, torch.cat([x, one]), x.softmax(-1), x.cumsum(0), F.layer_norm(x, (4,)), x.reshape(2, 0, 2), x + 1, x.std(0), x.norm(), x.t().sum(0),
        F.linear(x, one), torch.bmm(x[None], one.t()[None]), x.amax(1), x.view(torch.int32 if x.dtype == torch.float32 else torch.int64), x.sort(1), x.unique(), x[:, :0].sum(1), F.pad(x, (0, 0, 1, 1)), torch.stack([x, x]), x.logsumexp(0), x.argmax(1),
        x.repeat(2, 0), x.expand(3, 0, 4), F.relu(x), x.split(1), x.flatten(), torch.einsum("ij,kj->ik", x, one), x.nanmean(), x.median(), F.cosine_similarity(x, x), F.mse_loss(x, x),
    )  # fmt: skip


@calls((torch.randn(1), torch.randn(1, 1), torch.randn(3)))
def tensors_of_size_one(a, b, c):
    return (
        a * c,
        b * c,
        a @ a,
        b @ b,
        b.squeeze(),
        a.var(),
        c.outer(a),
        b.expand(2, 3) @ c,
        a.softmax(0),
        F.layer_norm(b, (1,)),
        a.item() * c,
        torch.cat([a, c]),
        b.mean(0),
        a.std(unbiased=False),
        a.expand(3) + c,
        c[None] @ c,
        c @ c,
        torch.mv(b, a),
    )


@calls((torch.randn(4), torch.randn(3, 4), torch.randn(2, 3, 4), torch.randn(2, 4, 5), torch.randn(5, 1, 4, 2)))
def matmul_of_all_ranks(a, b, c, d, e):
    return (
        a @ a,
        b @ a,
        a @ b.t(),
        c @ a,
        a @ d,
        c @ d,
        b @ d,
        c @ e,
        d[:, :, :4] @ e,
        e @ e.mT,
        b @ e,
        torch.einsum("bij,bjk->bik", c, d),
        torch.tensordot(c, d, ([2], [1])),
        torch.chain_matmul(b, d[0], d[1].t()),
        torch.kron(a, a),
        torch.inner(b, b),
    )


@calls((torch.tensor([0.79, -1.2, 0.0, -0.0, INF, NAN, 3.0, -INF]),), (torch.tensor([0.79, -1.2, 0.0, INF, NAN], dtype=torch.float64),))
def chains_through_nan_and_infinity(x):
    r = torch.rsqrt(x)
    return (
        torch.sin(torch.atan(torch.angle(r))), x / torch.relu(x), x * (x >= 0), torch.log(x.clamp(min=0)), torch.softmax(torch.stack([x, torch.full_like(x, INF)]), 0), x[:1].var(), x[:1].std(unbiased=False),
        torch.logsumexp(torch.full((2, 3), -INF), 1), torch.cumsum(1 / x, 0), torch.nan_to_num(x / 0), x.isnan() | x.isinf(), torch.sqrt(x).nansum(), x.max(), x.min(), x.amax(), x.clamp(-1, 1), torch.fmax(x, x.flip(0)), torch.fmin(x, x.flip(0)),
        torch.maximum(x, x.flip(0)), torch.sigmoid(x), torch.tanh(x), torch.exp(x), F.gelu(x), F.silu(x), F.softplus(x), x.sign(), x.round(), torch.floor(x), x == x, x > x.flip(0), torch.where(x > 0, x, -x), F.relu(x), F.leaky_relu(x), x.pow(0.5), x.pow(-1),
        F.relu6(x), F.hardtanh(x), F.elu(x), torch.log1p(x), torch.expm1(x), x.logical_and(x), x.bool(), x.argmax(), x.sort()[0], x.softmax(0), torch.logaddexp(x, x), torch.nan_to_num(x, 1, 2, 3), torch.erf(x), x.cummax(0), torch.atan2(x, x.flip(0)),
    )  # fmt: skip


@calls((torch.tensor([1e-40, -1e-42, 1e-45, 1e-38]),), tol=0.0)
def denormal_numbers(x):
    return x * 1, x + x, x / 2, x * 1e10, x.sum(), torch.relu(x), x > 0, x.abs(), -x, x.double()


@calls((torch.tensor([88.0, 89.0, -104.0, 700.0, -80.0]),))
def overflow_of_exponentials(x):
    return (
        torch.exp(x),
        torch.sigmoid(x),
        torch.tanh(x),
        torch.softmax(x, 0),
        F.softplus(x),
        torch.expm1(x),
        x.exp().log(),
        F.silu(x),
        torch.cosh(x),
        1 / (1 + torch.exp(-x)),
        x.logsumexp(0),
        torch.exp2(x),
        F.mish(x),
        F.logsigmoid(x),
        torch.erfc(x / 20),
    )


@calls((torch.tensor([1.0, -2.0, 0.0, 3.5]),))
def complex_numbers(x):
    c = torch.complex(x, x.flip(0)).conj()
    return (
        c * 2j, torch.view_as_real(c.resolve_conj()), c.abs(), c.angle(), c.real + c.imag, torch.vdot(c, c), c @ c.conj(), torch.fft.fft(x), torch.fft.irfft(torch.fft.rfft(x), n=4), c.to(torch.complex128) + 1, c.exp(), c.sum(), c / c.flip(0),
        torch.polar(x.abs(), x), c.view(2, 2).mH, torch.view_as_complex(x.view(2, 2)), c == c, torch.stack([c, c.conj()]), c.conj().imag, -c.imag,
    )  # fmt: skip


@program()
def unused_inputs_and_tied_parameters():
    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.a, self.b = torch.nn.Linear(3, 3), torch.nn.Linear(3, 3)
            self.b.weight = self.a.weight
            self.unused = torch.nn.Parameter(torch.ones(4))
            self.register_buffer("pos", torch.arange(3.0), persistent=False)

        def forward(self, x, y, z):
            return self.b(self.a(x) + self.pos)

    return Net(), [(torch.randn(2, 3), torch.randn(9), None)]


@program(call=lambda f, a: (f(a[0], a[1], flag=a[2]), f(a[0], a[1], flag=not a[2], extra=[a[0], 2])))
def keywords_containers_and_flags():
    def f(x, d, flag=True, extra=None):
        y = x * d["w"] + (1 if flag else -1)
        if extra is not None:
            y = y + extra[0] * extra[1]
        return {"y": y, "n": len(d), "none": None, "nested": [(y, [x]), "text", 2.5]}

    return f, [(torch.ones(2), {"w": torch.tensor([2.0, 3.0]), "k": 5}, True)]


@calls((None, torch.ones(2), "a"), (torch.ones(2), torch.ones(2), "b"), (torch.ones(2), None, "a"))
def none_and_text_arguments(a, b, how):
    return (a if a is not None else b) * (2 if how == "a" else 3), None, how


@calls((), (), call=lambda f, args: f())
def no_inputs_at_all():
    return torch.ones(2) + torch.arange(2), torch.full((2, 2), 0.5).sum()


@calls((torch.randn(3),), ())
def optional_inputs(x=None):
    return torch.zeros(3) if x is None else x.relu(), 3


@calls((torch.randn(2, 3), torch.randint(0, 3, (2,)), torch.rand(2, 3)))
def losses(x, target, y):
    p = x.sigmoid()
    return (
        F.cross_entropy(x, target), F.cross_entropy(x, target, label_smoothing=0.1, reduction="none"), F.nll_loss(x.log_softmax(1), target, torch.rand(3) * 0 + 2), F.mse_loss(x, y), F.l1_loss(x, y), F.smooth_l1_loss(x, y),
        F.huber_loss(x, y), F.binary_cross_entropy(p, y), F.binary_cross_entropy_with_logits(x, y), F.kl_div(x.log_softmax(1), y, reduction="batchmean"), F.cross_entropy(x, torch.tensor([-100, 1])), F.cosine_embedding_loss(x, y, torch.tensor([1, -1])),
        F.margin_ranking_loss(x, y, torch.ones(2, 3)), F.hinge_embedding_loss(x, torch.ones(2, 3)), F.poisson_nll_loss(x, y), F.gaussian_nll_loss(x, y, p), F.multi_margin_loss(x, target), F.triplet_margin_loss(x, y, -y), F.one_hot(target, 3),
    )  # fmt: skip


@calls((torch.randn(3, 3, dtype=torch.float64),))
def linear_algebra(a):
    s = a @ a.t() + torch.eye(3, dtype=torch.float64)
    return (
        torch.linalg.cholesky(s),
        torch.linalg.inv(s),
        torch.linalg.det(s),
        torch.linalg.solve(s, a),
        torch.linalg.eigvalsh(s),
        torch.linalg.svdvals(a),
        torch.linalg.norm(a),
        torch.trace(a),
        torch.linalg.matrix_power(a, 3),
        torch.linalg.cross(a, s),
        torch.cdist(a, s),
        torch.diag(a),
        torch.diag_embed(a),
    )


test_edges = collect(globals())
