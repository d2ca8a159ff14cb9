"""Gradients: views and writes under autograd, custom functions, grad modes, what is a leaf and what requires grad."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from programs import collect, program
from torch.utils.checkpoint import checkpoint


class Triple(torch.autograd.Function):
    """A gradient that is not the derivative, so that a lost custom backward shows."""

    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a * b

    @staticmethod
    def backward(ctx, g):
        a, b = ctx.saved_tensors
        return g * b * 3, None


@program(train=True)
def writes_and_views_under_autograd():
    def f(x, y):
        z = x * 1
        z[:, 0] *= 2
        z.relu_()
        w = z.view(-1)[2:].reshape(2, 2)
        return w * 3, Triple.apply(x, y), z.t()

    return f, [(torch.randn(2, 3, requires_grad=True), torch.randn(2, 3))]


@program(train=True)
def gradients_of_indexing_and_reductions():
    def f(x, i):
        return (
            x[i],
            x.gather(0, i[:, None].expand(3, 4)),
            x.max(0)[0],
            x.sort(1)[0],
            x.cumsum(0),
            x.std(),
            x.prod(1),
            x.index_add(0, i, x[:3]),
            x.logsumexp(0),
            x.norm(),
            x.amax(1),
            x.topk(2)[0],
            x.median(),
            x.scatter(0, i[:, None], 0.0),
            x.unfold(1, 2, 1),
        )

    return f, [(torch.randn(3, 4, requires_grad=True), torch.tensor([0, 2, 2]))]


@program(train=True)
def gradients_through_shared_and_expanded_values():
    def f(x, w):
        y = x.expand(3, 4) * w
        return (
            y + y.t() @ y[:, :1].expand(3, 4),
            torch.cat([x, x * 2], 1),
            x * x,
            w.sum() * x,
            x.detach() * w,
            torch.where(w > 0, x, w),
            F.layer_norm(y, (4,)),
            y.softmax(0),
        )

    return f, [
        (torch.randn(1, 4, requires_grad=True), torch.randn(3, 4, requires_grad=True)),
        (torch.randn(1, 4, requires_grad=True), torch.randn(3, 4)),
    ]


@program(train=True)
def gradients_of_layers():
    m = nn.Sequential(
        nn.Linear(4, 8), nn.BatchNorm1d(8), nn.SiLU(), nn.LayerNorm(8), nn.Linear(8, 4, bias=False), nn.GroupNorm(2, 4), nn.Softmax(-1)
    )
    return m, [(torch.randn(5, 4, requires_grad=True),), (torch.randn(5, 4),)]


@program(train=True)
def frozen_parameters_get_no_gradient():
    m = nn.Sequential(nn.Linear(3, 3), nn.ReLU(), nn.Linear(3, 2))
    m[0].requires_grad_(False)
    m[2].bias.requires_grad_(False)
    return m, [(torch.randn(2, 3),), (torch.randn(2, 3, requires_grad=True),)]


@program(train=True)
def grad_modes_inside():
    def f(x):
        with torch.no_grad():
            a = x * 2
        with torch.enable_grad():
            b = x * 3
        return a, b, (a * x).sum(), x.detach(), b.requires_grad, a.requires_grad

    return f, [(torch.randn(3, requires_grad=True),)]


def _grad_or_not(f, args):
    x, grad = args
    module = getattr(f, "_orig_mod", f)
    with torch.set_grad_enabled(grad):
        y = f(x)
    if not grad:
        return y
    y.sum().backward()
    result = y, module.weight.grad.clone()
    module.weight.grad = None
    return result


@program(call=_grad_or_not)
def without_gradients_then_with():
    return nn.Linear(3, 2), [(torch.ones(1, 3), grad) for grad in (False, True, False, True)]


@program(train=True)
def checkpointed_blocks():
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.a, self.b = nn.Linear(4, 4), nn.Linear(4, 4)

        def forward(self, x):
            y = checkpoint(lambda t: F.dropout(self.a(t), 0.5, True).tanh(), x, use_reentrant=False)
            return self.b(y) + x

    return Net(), [(torch.randn(3, 4, requires_grad=True),)]


@program(train=True)
def results_without_gradient_and_integers():
    def f(x):
        return x * 2, x.argmax(), (x > 0), x.shape[0], x.detach() + 1, torch.ones(2)

    return f, [(torch.randn(4, requires_grad=True),)]


@program(train=True)
def input_written_that_requires_gradient():
    def f(x, y):
        z = x * 2
        y.copy_(z.detach())
        z.add_(1)
        return z.mul(y), z

    return f, [(torch.randn(3, requires_grad=True), torch.zeros(3))]


@program(train=True)
def low_precision_gradients():
    m = nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 1)).bfloat16()
    return m, [(torch.randn(3, 4).bfloat16(),)]


@program(train=True, context=lambda: torch.autocast("cpu", dtype=torch.bfloat16))
def autocast_training():
    m = nn.Sequential(nn.Linear(4, 8), nn.GELU(), nn.LayerNorm(8), nn.Linear(8, 2))
    return m, [(torch.randn(3, 4, requires_grad=True),)]


@program(train=True)
def embedding_and_loss():
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.e, self.l = nn.Embedding(10, 4), nn.Linear(4, 5)

        def forward(self, i, target):
            return F.cross_entropy(self.l(self.e(i)).flatten(0, 1), target)

    return Net(), [(torch.randint(0, 10, (2, 3)), torch.randint(0, 5, (6,)))]


@program(call=lambda f, args: torch.autograd.grad(f(*args).sum(), args[0], create_graph=False))
def gradient_asked_directly():
    return lambda x: (x**3).sin(), [(torch.randn(4, requires_grad=True),)]


test_autograd = collect(globals())
