"""Writes and views: which results share storage, what a write through one shows in another, what the caller's tensors hold."""

import torch
from programs import calls, collect, program


def _write(*places):
    """Calls, then adds to the results at `places`, so that sharing shows in the values of the others."""

    def call(f, args):
        results = f(*args)
        for k, i in enumerate(places):
            results[i].mul_(3).add_(k + 1)
        return results

    return call


@calls((torch.arange(4.0),), call=_write(0))
def equal_results_are_two_tensors(x):
    return x + 1, x + 1, torch.zeros_like(x), torch.zeros_like(x), (x + 1).sum()


@calls((torch.arange(4.0),), call=_write(1, 2))
def equal_views_of_equal_values(x):
    return (x + 1).view(2, 2), (x + 1).view(2, 2), x.clone(), x.clone(), (x * 1)[1:], (x * 1)[1:]


@calls((torch.arange(4.0),), (torch.ones(6),))
def values_before_and_after_a_write(x):
    a, y = x.sum(), x * 2
    x[1:].add_(5)
    b, z = x.sum(), x * 2
    x.clamp_(max=4)
    return a, b, x.sum(), y, z


@calls((torch.arange(6.0).reshape(2, 3), torch.ones(3)))
def values_between_writes_through_views(x, y):
    a = x.t() @ torch.ones(2)
    x.view(-1)[::2].zero_()
    b = x.t() @ torch.ones(2)
    x[0].copy_(y)
    y.add_(x[1])
    x.t()[1].mul_(-1)
    return a, b, x.sum(0), y * 1, x[0] + y


@calls((torch.arange(12.0).reshape(3, 4),), call=_write(0, 2))
def results_that_are_views_of_inputs(x):
    return x.view(-1), x + 1, x[1:, ::2], x.t(), x.unsqueeze(0).expand(2, 3, 4)


@calls((torch.arange(12.0).reshape(3, 4),), call=_write(1, 4))
def more_views_of_inputs(x):
    return (
        x.diagonal(),
        x.unfold(1, 2, 2),
        x.unflatten(1, (2, 2)),
        x.movedim(0, 1),
        x.select(0, -1),
        x.narrow(1, 1, 2),
        x.detach(),
        x.split(2, 1)[1],
        x.view(torch.int32),
        x.squeeze(0),
    )


@calls((torch.randn(3),), call=lambda f, args: f(*args))
def inputs_returned_as_they_are(x):
    return x, x + 1, x, [x], {"x": x}


@calls((torch.randn(4, 4),), call=lambda f, args: [r := f(*args), r[1].fill_(-1)])
def views_of_one_intermediate(x):
    y = x.sin() + 1
    a, b = y.chunk(2, dim=1)
    return y, a, b, y[0], y.diagonal()


@calls((torch.randn(2, 6),), call=_write(0, 1), context=torch.no_grad)
def views_of_an_intermediate_without_the_base(x):
    y = x.exp()
    return y.view(3, 4), y.t(), y[:, 2:4], y.unbind(0)[1], y.view(-1)[3:].as_strided((2, 2), (4, 1))


@calls((torch.randn(2, 6),), call=_write(0), context=torch.no_grad)
def views_of_two_intermediates_do_not_mix(x):
    y, z = x + 1, x + 1
    return y.view(-1), z.view(-1), y.t(), z.t(), (y + z).view(3, 4)


@program(
    call=lambda f, args: (f(*args[0](args[1])), args[1]), front_end="no guard on inputs that start to overlap (pytorch/pytorch#139789)"
)
def inputs_that_start_to_overlap():
    def f(a, b):
        a.mul_(2)
        return a + b

    apart = lambda base: (base[:4].clone(), base[4:].clone())  # noqa: E731
    over = lambda base: (base[:4], base[2:6])  # noqa: E731
    return f, [(apart, torch.ones(8)), (over, torch.ones(8))]


@program(call=lambda f, args: (f(args[0][:4], args[0][2:6]), args[0]))
def overlapping_inputs_written():
    def f(a, b):
        a.mul_(2)
        b.add_(1)
        return (a + b).sum(), a * 1

    return f, [(torch.arange(8.0),), (torch.ones(8),)]


@program(call=lambda f, args: (f(args[0], args[0][1:]), args[0]))
def base_written_and_its_view_read():
    def f(base, view):
        base.add_(50)
        return view[0] * 1, view.sum()

    return f, [(torch.arange(12.0).reshape(4, 3),)]


@program(call=lambda f, args: (f(args[0], args[0].t()), args[0]))
def transposed_alias_written():
    def f(x, t):
        t[0].zero_()
        return x.sum(0), t.sum(0)

    return f, [(torch.arange(9.0).reshape(3, 3),)]


@program(call=lambda f, args: (f(args[0], args[0]), args[0]))
def same_tensor_twice():
    def f(a, b):
        a.add_(1)
        return (a * b).sum()

    return f, [(torch.arange(3.0),), (torch.ones(3),)]


@calls((torch.arange(6.0).reshape(2, 3), torch.empty(2, 3)))
def out_arguments_and_chains_of_writes(x, buf):
    torch.add(x, 1, out=buf)
    x[0].zero_()
    x[:, 1] = 9
    y = x.mul_(2)
    buf[1:].sub_(y[1:])
    return y, buf


@calls((torch.randn(3, 4), torch.zeros(3, 5), torch.randn(4, 5)))
def out_arguments_of_products(a, c, b):
    torch.mm(a, b, out=c)
    d = torch.empty(0)
    torch.cat([a, a], out=d)
    return c.sum(), d


@calls((torch.arange(6.0).reshape(2, 3), torch.arange(3.0), torch.zeros(1, 2)))
def writes_to_metadata(x, y, z):
    x.t_()
    y.unsqueeze_(0)
    z.squeeze_(0)
    return x + 1, y * 2, z.shape[0]


@calls((torch.arange(5.0), torch.arange(5)))
def in_place_operators(x, n):
    x += 1
    x *= x
    x[x > 4] = 0
    n //= 2
    n[1:3] |= 4
    x[n.clamp(0, 4)] -= 1
    x.sigmoid_().clamp_(0.1, 0.9)
    return x.sum(), n


@calls((torch.zeros(3, 3), torch.arange(3.0)))
def writes_into_parts(x, v):
    x.diagonal().copy_(v)
    x[1, :2].fill_(7)
    x[..., -1] = v
    x.select(0, 2).add_(v)
    x.index_add_(0, torch.tensor([0, 0]), torch.ones(2, 3))
    x.masked_fill_(x == 7, -1)
    x.scatter_(1, torch.tensor([[0], [1], [2]]), 5.0)
    return x.clone(), x.sum(1)


@calls((torch.zeros(1, 3), torch.zeros(2)))
def writes_to_small_and_unused_inputs(x, unused):
    x.expand(2, 3)[0].add_(1)
    unused.fill_(2)
    return x * 1


@calls((torch.ones(3), torch.zeros(2)))
def no_results_only_writes(x, buf):
    buf.add_(x.sum())
    x[0] = -1


@calls((torch.arange(4), torch.zeros(4)))
def copies_between_dtypes(n, x):
    x.copy_(n)
    n.copy_(x * 2.6)
    x[:2] = n[2:]
    return x, n


@program(context=torch.no_grad)
def views_that_no_schema_announces():
    """unsafe_split and unsafe_chunk return views of their operand, which is planned memory here: its bytes must not be used again."""

    class Unrolled(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.cell, self.head = torch.nn.GRUCell(6, 12), torch.nn.Linear(12, 5)
            self.lstm = torch.nn.LSTMCell(6, 12)

        def forward(self, x):
            h, c, g = torch.zeros(x.shape[0], 12), torch.zeros(x.shape[0], 12), torch.zeros(x.shape[0], 12)
            for t in range(x.shape[1]):
                g = self.cell(x[:, t], g)
                h, c = self.lstm(x[:, t], (h, c))
            parts = torch.unsafe_chunk(self.head(g + h), 5, 1)
            return parts[0] * parts[4], parts[1], torch.unsafe_split(g @ g.T, 3)

    return Unrolled().eval(), [(torch.randn(8, 5, 6),), (torch.randn(3, 4, 6),)]


test_aliasing = collect(globals())
