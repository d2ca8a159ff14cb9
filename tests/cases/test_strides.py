"""Output strides and memory: what eager gives, for permuted, strided, offset and overlapping tensors; buffers that stay alive."""

import torch
from programs import calls, collect, program

LAST = torch.channels_last


@calls((torch.arange(48).reshape(2, 4, 2, 3).to(memory_format=LAST),), (torch.arange(48.0).reshape(2, 4, 2, 3),))
def as_strided_sees_storage_order(x):
    return (
        torch.as_strided(torch.roll(x, 1, 0), (3, 8), (2, 1), 1),
        torch.as_strided(x + 1, (4, 3), (5, 2)),
        x.as_strided((2, 2), (3, 7), 4),
        (x * 2).as_strided((6,), (1,)),
        x.clone().as_strided((4,), (2,), 3),
    )


@calls((torch.randn(5, 3, 4),))
def indexing_a_permuted_tensor(x):
    y = torch.relu(x.permute(1, 2, 0).unsqueeze(2)) + 1
    return (
        torch.index_select(y, 0, torch.tensor([0])),
        y[[0, 1]],
        y.gather(0, torch.zeros(1, 4, 1, 5, dtype=torch.int64)),
        y[:, [1, 0]],
        y[..., [0]],
        y.take(torch.tensor([3])),
        y.flip(0),
        y.roll(1, 0),
        y.masked_fill(y > 1, 0.0),
        torch.where(y > 1, y, 0.0),
    )


@program()
def tensors_made_with_explicit_strides():
    def f(x):
        r = torch.empty_strided((3, 4), (8, 1))
        r[:] = x + x
        s = torch.empty_strided((3, 4), (1, 3)).copy_(x)
        return (
            r,
            s,
            torch.empty_permuted((2, 3), (1, 0)).fill_(2.0),
            s + 1,
            torch.zeros_like(s),
            torch.ones_like(s, memory_format=torch.contiguous_format),
            x.new_empty_strided((2, 2), (1, 2)).zero_(),
        )

    return f, [(torch.randn(3, 4),)]


def _shapes(x, y):
    return (
        x + 1, x + y, y + x, x * y.contiguous(), torch.relu(x), x.sum(0), x.sum(1, keepdim=True), x.clone(), x.contiguous(), x.to(torch.float64), x > 0, torch.cat([x, y]), torch.stack([x, y]), x.reshape(-1), x.flatten(1),
        torch.softmax(x, 1), x.cumsum(1), x.mean((0, 1)), x.amax(1), x.argmax(1), torch.where(x > 0, x, y), x.transpose(0, 1) * 2, torch.empty_like(x).fill_(1), x.clamp(0, 1), x.pow(2), -x, x.expand_as(x) + 0.5, x.sort(1)[0], x.bfloat16(),
        torch.lerp(x, y, 0.3), torch.addcmul(x, x, y), x.tril() if x.dim() == 2 else x.squeeze(), torch.full_like(x, 3), torch.randn_like(x), x.logical_not(), x.var(1), x.std(0, keepdim=True),
    )  # fmt: skip


@calls(
    (torch.randn(3, 4).t(), torch.randn(4, 3)),
    (torch.randn(4, 6)[:, ::2], torch.randn(3, 4).t()),
    (torch.randn(1, 3).expand(4, 3), torch.randn(4, 1).expand(4, 3)),
)
def elementwise_and_reductions_of_matrices(x, y):
    return _shapes(x, y)


@calls((torch.randn(2, 3, 4, 5).to(memory_format=LAST), torch.randn(2, 3, 4, 5)), (torch.randn(2, 5, 3, 4).permute(0, 2, 3, 1), torch.randn(1, 3, 1, 5).expand(2, 3, 4, 5)), (torch.randn(4, 3, 5, 2).permute(3, 1, 0, 2), torch.randn(2, 3, 4, 5).to(memory_format=LAST)))  # fmt: skip
def elementwise_and_reductions_of_images(x, y):
    return _shapes(x, y)


@program(context=torch.no_grad)
def layers_on_channels_last():
    m = torch.nn.Sequential(
        torch.nn.Conv2d(3, 8, 3, padding=1),
        torch.nn.BatchNorm2d(8),
        torch.nn.ReLU(),
        torch.nn.MaxPool2d(2),
        torch.nn.GroupNorm(2, 8),
        torch.nn.Upsample(scale_factor=2),
        torch.nn.Conv2d(8, 4, 1),
        torch.nn.SiLU(),
    )
    return m.eval(), [
        (torch.randn(2, 3, 8, 8).to(memory_format=LAST),),
        (torch.randn(2, 3, 8, 8),),
        (torch.randn(1, 3, 8, 8).to(memory_format=LAST),),
    ]


@program(context=torch.no_grad)
def layers_with_channels_last_weights():
    m = torch.nn.Sequential(torch.nn.Conv2d(3, 8, 3), torch.nn.ReLU(), torch.nn.Conv2d(8, 4, 1)).to(memory_format=LAST)
    return m.eval(), [(torch.randn(2, 3, 6, 6),), (torch.randn(2, 3, 6, 6).to(memory_format=LAST),)]


@calls((torch.randn(3, 4, 5),), (torch.randn(2, 6, 5),), dynamic=True)
def reshapes_with_symbolic_sizes(x):
    y = x.transpose(0, 1)
    return (
        (y + 1).reshape(-1),
        y.reshape(x.shape[0], -1),
        (y * 2).flatten(0, 1).view(-1, x.shape[2]),
        y.contiguous().view(-1),
        x.view(x.shape[0], -1).t(),
        y * 3,
    )


@calls(
    (torch.randn(6, 4), torch.randn(4, 6)),
    (torch.randn(4, 6).t(), torch.randn(6, 4).t()),
    (torch.randn(6, 8)[:, ::2], torch.randn(8, 6)[::2]),
)
def products_of_strided_matrices(a, b):
    return (
        a @ b,
        b @ a,
        a.t() @ a,
        a @ a.t(),
        torch.mm(a, b).t(),
        a[1:] @ b[:, 2:],
        torch.bmm(a[None].expand(2, 6, 4), b[None].repeat(2, 1, 1)),
        torch.einsum("ij,jk->ki", a, b),
        a @ b[:, 0],
        torch.nn.functional.linear(a, b.t()[:3]),
        torch.outer(a[0], b[0]),
    )


@program()
def inputs_with_offsets_and_overlap():
    def f(a, b):
        return a * 2 + b.sum(), b @ b.t(), a[1:] + a[:-1], b.clone().mul_(3), a.view(2, 3), b + 1, b.contiguous(), torch.cat([b, b])

    base = torch.arange(40.0)
    return f, [
        (base[7:13], base[2:14].unfold(0, 4, 2)),
        (base[1:7], base[3:15].unfold(0, 4, 2)),
        (base[::2][:6], base[5:17].unfold(0, 4, 2)),
    ]


@calls((torch.randn(5, 5), torch.randn(5, 5)), (torch.randn(5, 5), torch.randn(5, 5)))
def copies_that_alias_while_buffers_are_reused(x, y):
    h = x * 2
    c, k = h.clone(), h.contiguous().detach()
    u = (y + 1) * (y - 1)
    v = u * u + h
    w = torch.sin(v) + c
    return c, w, k, u * 0.5, h + 1


@calls((torch.randn(5, 7),))
def views_read_after_their_base_could_be_reused(x):
    a = x + 1
    t, s = a.t(), a[::2]
    b = torch.relu(a)
    d = b * 2 - 3
    a2 = x.clone()
    a2.sin_()
    return t + 1, s * 2, d, a2.t().argmax(), a2.t().argmin(), t.reshape(-1)[3:7], (d.view(7, 5).t() + s.sum()).exp()


@calls((torch.randn(8, 8),))
def long_lived_values_across_many_temporaries(x):
    keep = [x * i for i in range(1, 5)]
    h = x
    for i in range(12):
        dead = h * 17  # noqa: F841
        h = torch.tanh(h + keep[i % 4])
    return h, keep[0] + keep[3], torch.stack(keep).sum(0)


@calls((torch.randn(6, 6),), (torch.randn(6, 6),))
def many_results_of_many_sizes(x):
    out, h = [], x
    for i in range(1, 6):
        h = torch.cos(h @ x / 6)
        out += [h[:i] * 1, h.sum(0), torch.cat([h, h[:i]]), h.view(-1)[: 2 * i].clone()]
    return out


@calls((torch.randn(3, 4),), call=lambda f, args: [f(*args), f(*args), f(*args)])
def results_of_earlier_calls_stay_intact(x):
    y = torch.exp(x) + 1
    return y, y.sum(0), y @ y.t(), torch.full_like(x, 2) * y


@program(call=lambda f, args: [r.add_(1) and (r, f(r)) for r in [f(*args)]])
def results_fed_back_as_arguments():
    return lambda x: torch.tanh(x * 2) - x, [(torch.randn(4, 4),)]


test_strides = collect(globals())
