"""How compiled functions are used: threads, recursion, hooks, modes, graph breaks, control flow operators."""

import torch
import torch._dynamo
import torch.nn as nn
from programs import calls, collect, program

from torch_ge.testing import run_threads


def _from_threads(f, args):
    f(args[0])
    return run_threads(lambda i: [f(args[i]) for _ in range(5)][-1], len(args))


@program(call=_from_threads)
def several_threads():
    def f(x):
        h = x
        for k in range(6):
            h = torch.tanh(h @ x + k)
        return h, h.sum()

    return f, [tuple(torch.randn(24, 24) for _ in range(4))]


@program(call=_from_threads, context=torch.no_grad)
def several_threads_through_a_module():
    return nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 4)), [tuple(torch.randn(3, 8) for _ in range(4))]


@program()
def recursion_and_disabled_functions():
    @torch._dynamo.disable
    def plain(x):
        return x + float(x.sum() > 0)

    def f(x, depth):
        y = plain(x * 2) - 1
        return f(y, depth - 1) if depth > 0 else y

    return f, [(torch.ones(2), 2), (-torch.ones(2), 1)]


def _with_mode(f, args):
    x, mode = args
    f.train(mode)
    module = getattr(f, "_orig_mod", f)
    return f(x), module.training, [child.training for child in module.children()]


@program(call=_with_mode, random_state=False)  # functionalised dropout with p=1 draws nothing
def hooks_and_modes():
    m = nn.Sequential(nn.Linear(3, 3), nn.BatchNorm1d(3), nn.Dropout(1.0))
    m[0].register_forward_hook(lambda module, inputs, output: output * 2)
    m[1].register_forward_pre_hook(lambda module, inputs: (inputs[0] + 1,))
    return m, [(torch.randn(4, 3), True), (torch.randn(4, 3), False), (torch.randn(4, 3), True)]


@calls((torch.randn(4), torch.ones(4)), (torch.randn(4), -torch.ones(4)))
def a_break_leaves_pieces(a, b):
    x = a / (a.abs() + 1)
    torch._dynamo.graph_break()
    if b.sum() < 0:
        b = b * -1
    return x * b


@calls((torch.ones(3), []), (torch.zeros(3), [1]))
def effects_on_python_objects(x, log):
    log.append(len(log))
    y = x + len(log)
    log.append("end")
    return y * 2, list(log)


@calls((torch.tensor([1.0, -1.0]),))
def errors_raised_by_the_program(x):
    y = x * 2
    if x.shape[0] == 2:
        raise KeyError("two")
    return y


@calls((torch.arange(6.0).reshape(2, 3),))
def numpy_and_python_in_the_middle(x):
    total = sum(x[0].tolist())
    return x + total, torch.from_numpy(x.numpy() + 1), [float(v) for v in x[1]]


@program(context=torch.inference_mode)
def inference_mode():
    m = nn.Linear(3, 3)

    def f(x):
        y = m(x)
        z = y.view(-1)
        z.add_(1)
        return y, z[1:], y.t()

    return f, [(torch.randn(2, 3),), (torch.randn(4, 3),), (torch.randn(1, 3),)]


@program(context=lambda: torch.autocast("cpu", dtype=torch.bfloat16))
def autocast_around_and_inside():
    linear = nn.Linear(4, 4)

    def f(x):
        a = linear(x)
        b = a.softmax(-1)
        with torch.autocast("cpu", enabled=False):
            c = x @ x.t()
        return a, b, c, torch.mm(x, linear.weight), a.float().sum() + x.sum(), torch.cat([a, x])

    return f, [(torch.randn(3, 4),)]


@program()
def cond_with_captures_and_nesting():
    w = torch.tensor([2.0, -1.0])

    def f(x):
        def yes(a):
            return a * w, a.sum()

        def no(a):
            return torch.cond(a[0] > -5, lambda b: (b - w, b.mean()), lambda b: (b.clone(), b.max()), (a,))

        u, v = torch.cond(x.sum() > 0, yes, no, (x,))
        return u + 1, v

    return f, [(torch.tensor([1.0, 2.0]),), (torch.tensor([-1.0, -2.0]),), (torch.tensor([-9.0, -2.0]),)]


@calls((torch.tensor([1.0, 2.0]), torch.tensor([5.0, 6.0])), (torch.tensor([-1.0, 2.0]), torch.tensor([5.0, 6.0])))
def results_of_several_conds_stay_alive(x, s):
    p = x[0] >= 0
    a = torch.cond(p, lambda v, q: v.clone(), lambda v, q: q.clone(), (x, s))
    b = torch.cond(p, lambda v, q: q + v, lambda v, q: torch.zeros_like(v), (a, s))
    c = torch.cond(b.sum() > 0, lambda v: v.sin(), lambda v: v.cos(), (a,))
    return a, b, c


@program(dynamic=True)
def cond_on_a_size():
    def f(x):
        return torch.cond(x.shape[0] > 4, lambda v: v.sum(0), lambda v: v.mean(0) * 2, (x,))

    return f, [(torch.randn(n, 3),) for n in (3, 6, 4)]


@calls((torch.tensor(3), torch.ones(2)), (torch.tensor(0), torch.ones(2)))
def while_loops(n, x):
    from torch._higher_order_ops.while_loop import while_loop

    return while_loop(lambda i, v: i > 0, lambda i, v: (i - 1, v * 1.5 + i), (n, x))


@calls((torch.randn(5, 3),))
def scans_and_maps(x):
    from torch._higher_order_ops.map import map as hop_map
    from torch._higher_order_ops.scan import scan

    carry, ys = scan(lambda c, v: (c + v, c * v), torch.zeros(3), x)
    return carry, ys, hop_map(lambda v, s: v.sin() + s, x, x[0])


@calls((torch.randn(2, 3), torch.randn(3)))
def transforms(x, y):
    from torch.func import grad, vmap

    return vmap(lambda row: (row * y).sum())(x), grad(lambda t: (t**2).sum())(y), vmap(grad(lambda t: t.sin().sum()))(x)


test_objects = collect(globals())
