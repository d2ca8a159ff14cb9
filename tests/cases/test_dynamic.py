"""Changing sizes: 0, 1 and many, sizes as values, masks built from lengths, sizes that depend on data."""

import torch
import torch._dynamo
import torch.nn.functional as F
from programs import calls, collect, program


@program(context=torch.no_grad)
def batches_of_zero_one_and_many():
    m = torch.nn.Sequential(torch.nn.Linear(3, 5), torch.nn.ReLU(), torch.nn.LayerNorm(5), torch.nn.Linear(5, 2))
    return m, [(torch.randn(n, 3),) for n in (4, 7, 1, 0, 2, 7)]


@program(context=torch.no_grad, dynamic=True)
def images_of_changing_size():
    m = torch.nn.Sequential(
        torch.nn.Conv2d(3, 4, 3, padding=1),
        torch.nn.ReLU(),
        torch.nn.MaxPool2d(2),
        torch.nn.GroupNorm(2, 4),
        torch.nn.AdaptiveAvgPool2d(2),
        torch.nn.Flatten(),
        torch.nn.Linear(16, 3),
    )
    return m.eval(), [(torch.randn(b, 3, h, w),) for b, h, w in ((2, 8, 6), (3, 7, 9), (1, 8, 8), (2, 8, 6))]


@program(dynamic=True, train=True)
def training_with_changing_sizes():
    m = torch.nn.Sequential(torch.nn.Linear(3, 5), torch.nn.GELU(), torch.nn.Linear(5, 2), torch.nn.Softmax(-1))
    return m, [(torch.randn(n, 3, requires_grad=True),) for n in (4, 7, 2, 4)]


@calls((torch.randn(4, 3), 5), (torch.randn(6, 2), 6), (torch.randn(5, 3), -1), dynamic=True)
def sizes_as_values(x, d):
    n, m = x.shape
    pos = torch.arange(n).unsqueeze(1) + torch.zeros(n, m)
    return (
        n,
        n * m + 1,
        pos * d,
        x.new_full((m, n), n / 2),
        x.sum() / n,
        torch.add(x, x, alpha=d),
        x[: n // 2],
        n > 3,
        x.repeat(m, 1),
        x.view(-1)[: n * m - 2],
        n % 4,
        max(n, m),
        x * (n - m),
        (n, [m]),
        x.expand(2, n, m).sum(0),
    )


@calls(*[(torch.randn(n, 4),) for n in (5, 3, 8, 2)], dynamic=True)
def windows_of_symbolic_length(x):
    n = x.size(0)
    return (
        x[1:] - x[:-1],
        x.narrow(0, n // 2, n - n // 2),
        F.pad(x, (0, 0, 0, 10 - n)),
        x.split((n + 1) // 2),
        x.roll(n // 2, 0),
        x.flip(0)[: n - 1],
        torch.cat([x, x[: n - 1]]),
        x.unfold(0, 2, 1),
        torch.linspace(0, 1, n),
        x.reshape(n * 2, 2),
    )


@program(dynamic=True)
def masks_from_lengths():
    big = torch.ones(16, 16).tril().bool()

    def f(x):
        n = x.shape[1]
        m = torch.full((n, n), torch.finfo(torch.float32).min).triu(1)
        a = torch.arange(n)
        return x.unsqueeze(1) + m, a[None] <= a[:, None], big[:n, :n], torch.where(big[:n, :n], x.unsqueeze(1), -1.0).softmax(-1)

    return f, [(torch.randn(2, 3),), (torch.randn(2, 5),), (torch.randn(1, 4),)]


@calls((torch.tensor([1.0, -2.0, 3.0, -4.0]), torch.tensor(3)), (torch.tensor([-1.0, -2.0, -3.0, -4.0]), torch.tensor(0)))
def sizes_that_depend_on_data(x, n):
    k = n.item()
    return (
        torch.ones(k).sum() + x.sum(),
        x[x > 0],
        x.nonzero(),
        torch.masked_select(x, x < 0),
        torch.repeat_interleave(x, n.expand(4)),
        torch.unique(x.round()),
        x.tolist(),
        torch.unique_consecutive(x.sign(), return_counts=True),
        torch.argwhere(x > 0),
    )


def _capturing(f, args):
    with torch._dynamo.config.patch(capture_scalar_outputs=True, capture_dynamic_output_shape_ops=True):
        return f(*args)


@calls((torch.tensor([1.0, -2.0, 3.0]), torch.tensor(3)), (torch.tensor([-1.0, 5.0, 2.0]), torch.tensor(8)), call=_capturing)
def unbacked_sizes_in_the_graph(x, n):
    k = n.item()
    torch._check(k >= 0)
    torch._check(k <= 100)
    pos = x[x > 0]
    return torch.zeros(k + 1).sum() + x.sum(), pos * 2, pos.sum(), x + k, torch.cat([pos, x]), torch.arange(k) * 2


@calls((torch.tensor([0.5, 2.0]), torch.tensor(True)), (torch.tensor([1.5, 2.5]), torch.tensor(False)), call=_capturing)
def scalars_read_in_the_graph(x, flag):
    return x * x.sum().item(), x + int(flag.item()), x / x.max().item(), torch.full((2,), x[0].item())


@calls(
    (torch.randn(3), 2, 0.5, True),
    (torch.randn(3), 3, 1.5, True),
    (torch.randn(3), 0, 0.0, False),
    (torch.randn(3), 1, -1.0, True),
    (torch.randn(3), 7, float("nan"), False),
)
def python_scalars_change(x, n, s, flag):
    return (
        x * n + s,
        x**n,
        torch.full((2,), n),
        torch.full((2,), s),
        (x if flag else -x) * 2,
        n * s,
        x.clamp(min=s),
        torch.arange(n),
        n // 2,
    )


@program()
def lists_and_ranks_change():
    def f(xs, k):
        return torch.stack(xs).sum(0) * k, len(xs), [x + 1 for x in xs]

    return f, [([torch.ones(3)] * n, float(n)) for n in (1, 3, 2)] + [([torch.ones(2, 3)] * 2, 1.0)]


@calls((torch.randn(3, 3),), (torch.randn(4, 4),), (torch.randn(4, 5),), dynamic=True)
def equal_sizes_become_different(x):
    return x.sum(0) + 1, x @ x.t(), x.shape[0] + x.shape[1]


@calls((torch.randn(4, 3),), (torch.randn(4, 3).double(),), (torch.arange(12).reshape(4, 3),), (torch.randn(3, 4).t(),))
def dtypes_and_strides_change(x):
    return x + 1, x * 2.5, x.sum(0), x.t() @ x, x.mean(dtype=torch.float32), x > 0


test_dynamic = collect(globals())
