"""Indexing, scattering, slicing, sorting: duplicate indices, shared rows, bounds, ties, empty results, and errors."""

import torch
from programs import calls, collect, program


@calls((torch.zeros(1, 3).expand(4, 3),))
def functional_writes_on_a_shared_row(x):
    i, v = torch.tensor([0, 2]), torch.ones(2, 3)
    return (
        x.index_add(0, i, v), x.index_copy(0, i, v), x.index_fill(0, i, -1.0), x.index_put((i,), v, accumulate=True), x.index_put((i,), v),
        x.scatter(0, torch.tensor([[1, 1, 3]]), 8.0), x.masked_fill(x > 5, 0.0), x.slice_scatter(v, 0, 1, 3), x.select_scatter(v[0], 0, 2), x.diagonal_scatter(v[0]),
        x.scatter_add(0, torch.tensor([[1, 1, 3]]), v), x.clone().add_(1), x.masked_scatter(torch.eye(4, 3) > 0, v),
    )  # fmt: skip


@calls((torch.tensor([[1.0, -2.0], [3.0, 4.0]]), torch.tensor([0, 0, 1])))
def duplicate_indices(x, i):
    y = x.clone()
    y[i] += y[i]
    x[[0, 0]] += x[[0, 0]]
    z = x.index_put((i,), torch.ones(3, 2), accumulate=True)
    return (
        y,
        z,
        x.scatter_add(0, i.unsqueeze(1).expand(3, 2), torch.full((3, 2), 0.5)),
        x.index_add(0, i, torch.ones(3, 2)),
        torch.bincount(i, minlength=4),
        x.put(i, torch.ones(3), accumulate=True),
    )


@calls((torch.randn(3, 3), torch.randn(3, 3)))
def index_add_shapes(x, v):
    i = torch.tensor([0, 1, 1])
    return (
        torch.index_add(x, 0, i, v), x.index_add(1, i, v.t(), alpha=2), x.index_reduce(0, i, v, "amax", include_self=False), x.index_reduce(1, i, v, "mean"),
        x.index_add(-1, i, v), x.index_copy(0, torch.tensor([2, 0, 1]), v), x[0].index_add(0, i, v[0]), x.index_reduce(0, i, v, "prod"),
    )  # fmt: skip


@calls((torch.randn(4, 3), torch.randn(2, 3)), (torch.arange(12).reshape(4, 3), torch.tensor([[5, -1, 2], [3, 3, 3]])))
def scatter_reduce_modes(x, s):
    i = torch.tensor([[0, 0, 2], [0, 2, 2]])
    return [x.scatter_reduce(0, i, s, r, include_self=keep) for r in ("sum", "prod", "mean", "amax", "amin") for keep in (True, False)]


@calls((torch.arange(24.0).reshape(2, 3, 4), torch.tensor([1, 0, -1]), torch.tensor([[True, False, True], [False, True, True]])))
def advanced_indexing(x, i, m):
    return (
        x[:, i], x[..., i], x[i.clamp(0, 1), i], x[0, :, i], x[:, [0, 2], 1:3], x[m], x[m, 1], x[:, None, i], x[i[:, None].clamp(0, 1), torch.tensor([0, 1])], x[:, m[0]],
        x[torch.tensor(1)], x[-1, ..., -1], x[[]], x[torch.zeros(0, dtype=torch.int64)], x[:, i, i], x.take(torch.tensor([0, -1, 5])), torch.take_along_dim(x, x.argsort(-1), -1),
    )  # fmt: skip


@calls((torch.arange(16.0).reshape(4, 4),), (torch.arange(20).reshape(5, 4),))
def slices_and_negative_dims(x):
    return (
        x[::2, 1::3], x[-2:, :-1], x[5:9], x[:, 2:2], x[..., -100:100:2], x.narrow(-1, 1, 2), x.select(-1, -1), x.flip(-1, 0), x.roll((1, -2), (-1, -2)), x.roll(3),
        x.movedim(-1, 0), x.unflatten(-1, (2, -1)), x.split([1, 3], -1)[1], x.chunk(3, -2), x.tensor_split(3, -1), x.unfold(-1, 2, 2), x.diff(dim=-2), x.sum((-1, -2)), x[1:][:, 1:][::2],
        x.rot90(1, (-1, -2)), x.tile(2), x.repeat(1, 2, 1), x.repeat_interleave(2, -1), x.diagonal(1), x.tril(-1), x.triu(1), x.squeeze(-1), x.unsqueeze(-2), x.swapaxes(0, -1), x.trace(),
    )  # fmt: skip


@calls((torch.tensor([3.0, float("nan"), -1.0, 7.5, -float("inf")]), torch.tensor([[2, 1, 2, 1, 1], [1, 1, 1, 2, 2]])))
def sorting_with_ties_and_nan(x, n):
    edges = torch.tensor([1.0, 2.0, 2.0, 5.0])
    return (
        n.sort(stable=True, dim=-1), n.sort(stable=True, dim=-1, descending=True), x.sort()[0], x.sort(descending=True), x.topk(3)[0], x.topk(2, largest=False), x.kthvalue(2)[0],
        n.argsort(stable=True), torch.searchsorted(edges, torch.tensor([2.0, 0.0, 9.0]), right=True), torch.bucketize(n.float(), edges), x.median(), n.mode()[0], x.nanmedian(),
        x.max(0), x.argmax(), x.argmin(), n.max(-1), n.argmax(-1), n.argmin(0, keepdim=True), torch.msort(n.t()), n.cummax(-1), n.cummin(0), x.isin(torch.tensor([3.0, 7.5])), x.aminmax(),
    )  # fmt: skip


@program(train=True)
def embeddings():
    class Tables(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.e = torch.nn.Embedding(6, 3, padding_idx=1)
            self.bags = torch.nn.ModuleList(torch.nn.EmbeddingBag(6, 3, mode=mode) for mode in ("mean", "sum", "max"))

        def forward(self, i, offsets):
            return (
                self.e(i.view(2, -1)),
                self.e(i.to(torch.int32)).sum(0),
                [bag(i, offsets) for bag in self.bags],
                self.bags[1](i.view(3, 2)),
            )

    return Tables(), [(torch.tensor([1, 0, 5, 1, 2, 2]), torch.tensor([0, 2, 2]))]


def raising(name, fn, *arguments):
    make = calls(*arguments)(fn)
    make.__name__ = name
    return make


good, bad = torch.tensor([2, 0]), torch.tensor([0, 7])
raising_gather = raising("gather_out_of_range", lambda x, i: x.gather(0, i) + 1, (torch.arange(3.0), good), (torch.arange(3.0), bad))
raising_scatter = raising("scatter_out_of_range", lambda x, i: x.scatter(0, i, 5.0), (torch.arange(3.0), good), (torch.arange(3.0), bad))
raising_scatter_add = raising(
    "scatter_add_out_of_range", lambda x, i: x.scatter_add(0, i, x) * 2, (torch.arange(3.0), good), (torch.arange(3.0), bad)
)
raising_select = raising(
    "index_select_out_of_range", lambda x, i: x.index_select(0, i).relu(), (torch.arange(3.0), good), (torch.arange(3.0), bad)
)
raising_add = raising(
    "index_add_out_of_range", lambda x, i: x.index_add(0, i, torch.ones(2)), (torch.arange(3.0), good), (torch.arange(3.0), bad)
)
raising_index = raising(
    "advanced_index_out_of_range", lambda x, i: x[i] * 2, (torch.arange(3.0), good), (torch.arange(3.0), bad), (torch.arange(3.0), -good)
)
raising_put = raising(
    "index_put_out_of_range", lambda x, i: x.index_put((i,), torch.ones(2)), (torch.arange(3.0), good), (torch.arange(3.0), bad)
)
raising_embedding = raising(
    "embedding_out_of_range",
    lambda x, i: torch.nn.functional.embedding(i, x),
    (torch.ones(3, 2), good),
    (torch.ones(3, 2), bad),
    (torch.ones(3, 2), -good),
)
raising_take = raising("take_out_of_range", lambda x, i: x.take(i) - 1, (torch.ones(3, 2), good), (torch.ones(3, 2), bad))
raising_onehot = raising(
    "nll_target_out_of_range", lambda x, i: torch.nn.functional.cross_entropy(x, i), (torch.randn(2, 3), good), (torch.randn(2, 3), bad)
)


@calls((torch.zeros(2),))
def constant_index_out_of_range(x):
    return x[torch.tensor([1]) + 2] * 2


@calls((torch.zeros(0, 3),))
def reduction_without_identity_over_nothing(x):
    return x.amax(0) + 1


@calls((torch.zeros(0, 3),), messages=False)  # tracing words it differently
def argmax_over_nothing(x):
    return x.argmax(0) + 1


@calls((torch.tensor([[-1.0, 2.0], [3.0, -4.0]]), torch.tensor([10.0, 20.0])))
def argmax_of_a_mask(x, v):
    return v[torch.argmax(x > 0, dim=1)].sum()


@calls((torch.ones(2, 3), torch.ones(3, 2)), (torch.ones(2, 3), torch.ones(2, 3)))
def matmul_of_wrong_shapes(a, b):
    return a @ b + 1


@calls((torch.ones(2), torch.ones(2)), (torch.ones(2), torch.ones(3)))
def addition_of_wrong_shapes(a, b):
    return a * 2 + b


@calls(
    (torch.ones(2, 3), torch.ones(3, 2).double()),
)
def matmul_of_two_dtypes(a, b):
    return a @ b


@calls((torch.tensor([1.0, -1.0]),))
def draws_with_bad_probabilities(p):
    return torch.bernoulli(p)


@calls((torch.tensor([[1.0, 2.0], [2.0, 4.0]]),))
def singular_matrices(a):
    return torch.linalg.inv(a)


test_indexing = collect(globals())
