"""Random draws: one draw a call, in program order, on PyTorch's generator, which ends where eager's does."""

import torch
import torch.nn.functional as F
from programs import calls, collect, program


@calls((torch.zeros(2, 3),), (torch.ones(2, 3),))
def equal_draws_are_not_merged(x):
    a, b = torch.rand(5), torch.rand(5)
    c, d, e = torch.rand_like(x), torch.randn_like(x), torch.rand_like(x)
    return a - b, torch.where(c < 0.5, d, x), e, torch.randperm(6), torch.randint(0, 9, (4,)), torch.bernoulli(torch.full((6,), 0.4))


@calls((torch.zeros(4),))
def in_place_draws(x):
    y = torch.empty(4).uniform_(-1, 1)
    z = torch.empty(4).normal_(2, 0.5)
    x.bernoulli_(0.3)
    w = torch.empty(3).exponential_(2.0)
    return y, z, w, torch.empty(3).random_(10), torch.empty(2).log_normal_(), torch.empty(2).cauchy_(), torch.empty(2).geometric_(0.5)


@calls((torch.tensor([[0.1, 0.7, 0.2], [0.3, 0.3, 0.4]]),))
def draws_from_distributions(p):
    i = torch.multinomial(p, 2)
    n = torch.normal(p, 0.1)
    return (
        i,
        n,
        torch.poisson(p * 10),
        torch.normal(0.0, p),
        torch.multinomial(p, 5, replacement=True),
        F.gumbel_softmax(p, hard=True),
        torch.randn(2, dtype=torch.float64),
    )


@calls((torch.zeros(3),), front_end="tracing drops dead random draws before the backend sees them (pytorch/pytorch#151524)")
def unused_draws_advance_the_generator(x):
    torch.rand(7)
    torch.randn_like(x).sum()
    return x + torch.rand(3)


@calls((torch.ones(6),))
def a_draw_multiplied_by_zero_is_still_a_draw(x):
    return x + torch.rand(6) * 0, torch.rand(2), (torch.rand(3) < 2).all(), torch.rand(4) - 0


@calls((torch.arange(24.0).reshape(2, 4, 3),))
def draws_used_as_indices(x):
    keep = torch.argsort(torch.rand(x.shape[0], x.shape[1]), dim=-1)[:, :2]
    noise = torch.rand(2)
    return (
        x[torch.arange(x.shape[0]).unsqueeze(-1), keep] + noise.view(2, 1, 1),
        x[:, torch.randperm(4)],
        x.gather(1, torch.randint(0, 4, (2, 2, 3))),
    )


@calls((torch.ones(8),), (-torch.ones(8),))
def draws_before_and_after_a_write(x):
    a = torch.rand(8)
    x.mul_(a)
    b = torch.rand(8)
    x.add_(b)
    return a.sum() - b.sum(), torch.randn(1)


def _in_mode(f, args):
    x, training = args
    getattr(f, "_orig_mod", f).train(training)
    return f(x)


@program(call=_in_mode, aliasing=False)
def dropout_edges_in_both_modes():
    class Dropouts(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.none, self.all, self.half = torch.nn.Dropout(0.0), torch.nn.Dropout(1.0), torch.nn.Dropout(0.5)

        def forward(self, x):
            y = self.half(torch.ones(64))
            return (
                self.none(x),
                self.all(x),
                y,
                F.alpha_dropout(x, 0.3, self.training),
                F.dropout1d(x, 0.5, self.training),
                F.feature_alpha_dropout(x, 0.5, self.training),
            )

    x = torch.randn(4, 6)
    return Dropouts(), [(x, True), (x, False), (x, True)]


@program(train=True)
def dropout_with_gradients():
    def f(x):
        return F.dropout(x * 2, 0.3, True), F.rrelu(x, training=True), F.dropout(x, 0.5, True).sum()

    return f, [(torch.randn(5, 7, requires_grad=True),)]


@calls((torch.ones(2),))
def seeding_inside(x):
    torch.manual_seed(7)
    a = torch.rand(2)
    torch.manual_seed(7)
    return a - torch.rand(2) + x, torch.rand(2)


test_random = collect(globals())
