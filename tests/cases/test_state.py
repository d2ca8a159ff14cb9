"""Parameters, buffers and attributes: written inside the graph, or changed by the user between two calls."""

import torch
import torch.nn as nn
from programs import collect, program


def original(f):
    """The module behind what torch.compile returned."""
    return getattr(f, "_orig_mod", f)


@program()
def batch_norm_statistics():
    class Norms(nn.Module):
        def __init__(self):
            super().__init__()
            self.a, self.b, self.c, self.d = (
                nn.BatchNorm1d(4),
                nn.BatchNorm1d(4, momentum=None),
                nn.BatchNorm1d(4, momentum=0.0),
                nn.BatchNorm1d(4, track_running_stats=False),
            )
            self.e = nn.InstanceNorm1d(4, track_running_stats=True)

        def forward(self, x):
            return self.a(x), self.b(x), self.c(x), self.d(x), self.e(x[None].mT)

    return Norms().train(), [(torch.randn(5, 4),), (torch.randn(3, 4),), (torch.randn(5, 4),)]


@program()
def key_value_cache():
    class Cache(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("k", torch.zeros(1, 2, 6, 3))
            self.register_buffer("v", torch.zeros(1, 2, 6, 3))
            self.register_buffer("n", torch.zeros((), dtype=torch.int64))

        def forward(self, kv, pos):
            self.k.index_copy_(2, pos, kv)
            self.v[:, :, pos] = kv * 2
            self.n += pos.shape[0]
            scores = (kv @ self.k.transpose(-1, -2)).masked_fill(torch.arange(6) > pos[-1], -1e9).softmax(-1)
            return scores @ self.v, self.n * 1

    return Cache(), [(torch.randn(1, 2, len(p), 3), torch.tensor(p)) for p in ([0, 1], [2], [3])]


@program(context=torch.no_grad)
def cache_written_and_read_in_one_step():
    class Cache(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("k", torch.zeros(4, 3))

        def forward(self, x, i):
            before = self.k.sum()
            self.k[i] = x
            middle = self.k * 1
            self.k[i].mul_(2)
            self.k.select(0, 3).add_(1)
            return before, middle, self.k.t() @ self.k, self.k[:i]

    return Cache(), [(torch.randn(3), i) for i in (1, 2, 2)]


@program()
def sliding_window_returns_views_of_the_buffer():
    class Window(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("w", torch.zeros(4, 2))

        def forward(self, x):
            rolled = self.w.roll(-1, 0)
            rolled[-1:] = x
            self.w.copy_(rolled)
            return self.w[1:], rolled.sum(0), self.w.clone()

    return Window(), [(torch.tensor([[float(i), -float(i)]]),) for i in range(1, 5)]


@program()
def buffers_that_are_results_or_replaced():
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("b", torch.arange(3.0))
            self.register_buffer("c", torch.zeros(3))
            self.register_buffer("d", None)
            self.steps = 0

        def forward(self, x):
            self.c = self.c * 0.9 + x
            self.b.mul_(2)
            return self.b, self.c, self.b.view(3, 1)

    return Net(), [(torch.ones(3) * i,) for i in range(3)]


@program(call=lambda f, args: (f(*args), original(f).t.add_(10), f(*args)))
def plain_tensor_attribute_written():
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.t = torch.zeros(3)

        def forward(self, x):
            return x + self.t * 2

    return Net(), [(torch.ones(3),), (torch.zeros(3),)]


def _change(m, how):
    w = m.weight
    if how == "add_":
        w.add_(1)
    elif how == "load_state_dict":
        m.load_state_dict({"weight": torch.full((2, 3), 0.5), "bias": torch.ones(2)})
    elif how == "assign":
        m.load_state_dict({"weight": torch.full((2, 3), 0.25), "bias": torch.zeros(2)}, assign=True)
    elif how == ".data = new":
        w.data = torch.ones(2, 3) * 4
    elif how == "new Parameter":
        m.weight = nn.Parameter(torch.ones(2, 3) * -1)
    elif how == ".data.add_":
        w.data.add_(3)
    elif how == ".data[0,0] =":
        w.data[0, 0] = 9
    elif how == "numpy":
        w.detach().numpy()[1, 2] = -7
    elif how == "storage":
        torch.tensor([], dtype=torch.float32).set_(w.untyped_storage())[1] = 5
    elif how == "view":
        w.detach().view(-1)[2:4].fill_(0.125)
    elif how == "init":
        nn.init.constant_(w, 0.75)
    elif how == "fused SGD":
        w.grad = torch.ones_like(w)
        torch.optim.SGD([w], lr=0.5, fused=True).step()
        w.grad = None
    elif how == "foreach Adam":
        w.grad = torch.ones_like(w)
        torch.optim.Adam([w], lr=0.5, foreach=True).step()
        w.grad = None
    elif how == "vector_to_parameters":
        nn.utils.vector_to_parameters(torch.arange(8.0), m.parameters())
    elif how == "double and back":
        m.double().float()
    elif how == "transposed":
        w.data = torch.arange(6.0).reshape(3, 2).t()
    elif how == "foreach on data":
        torch._foreach_mul_([p.data for p in m.parameters()], 2.0)


HOWS = ("", "add_", "load_state_dict", ".data = new", "new Parameter", ".data.add_", ".data[0,0] =", "numpy", "storage", "view", "init", "fused SGD", "foreach Adam",
        "vector_to_parameters", "double and back", "assign", "transposed", "foreach on data", "")  # fmt: skip


def _changed_then_called(f, args):
    x, how = args
    with torch.no_grad():
        _change(original(f), how)
        return f(x), f(x)


@program(call=_changed_then_called)
def weights_changed_between_calls():
    return nn.Linear(3, 2), [(torch.ones(1, 3), how) for how in HOWS]


@program(call=lambda f, args: (setattr(original(f)[0], "weight", original(f)[2].weight), f(*args)), context=torch.no_grad)
def weights_tied_after_compiling():
    return nn.Sequential(nn.Linear(3, 3), nn.ReLU(), nn.Linear(3, 3)), [(torch.randn(2, 3),), (torch.randn(2, 3),)]


@program(context=torch.no_grad)
def several_instances_through_one_function():
    nets = [nn.Linear(3, 3) for _ in range(3)]
    return lambda x, i: nets[i](x).relu(), [(torch.ones(2, 3), i) for i in (0, 1, 2, 0, 1)]


@program(context=torch.no_grad)
def equal_blocks_in_a_list():
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.blocks = nn.ModuleList(nn.Sequential(nn.Linear(4, 4), nn.LayerNorm(4), nn.GELU()) for _ in range(3))
            self.shared = self.blocks[0]

        def forward(self, x):
            for block in [*self.blocks, self.shared]:
                x = x + block(x)
            return x

    return Net(), [(torch.randn(2, 4),), (torch.randn(2, 4),)]


test_state = collect(globals())
