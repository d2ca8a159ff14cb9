"""Folding constants: same kernels, same promotion, same zero signs and NaN as eager, and a fresh tensor each call."""

import torch
import torch.nn.functional as F
from programs import calls, collect, program

NAN, INF = float("nan"), float("inf")


@calls((torch.arange(6, dtype=torch.int8),))
def scans_of_filled_constants(x):
    ones = torch.ones(2, 4, dtype=torch.bool)
    return (
        ones.cumsum(1, dtype=torch.float16), ones.cumsum(0), ones.cumprod(1), torch.full((5,), 9, dtype=torch.uint8).cumsum(0),
        torch.full((4,), 0.25, dtype=torch.float64).cumsum(-1, dtype=torch.float32), x.cumsum(0, dtype=torch.int16),
    )  # fmt: skip


@calls((torch.tensor([3], dtype=torch.int32),))
def reductions_of_filled_constants(n):
    k = torch.full((3, 2), 100, dtype=torch.int8)
    t = torch.ones(3, dtype=torch.bool)
    return k.sum(), k.sum(0, dtype=torch.int8), k.prod(), k.float().mean(1), t.sum(), t.all(), t.float().var(), k.amax(1) + n, k.argmax(0)


@calls((torch.tensor([[7, -3, 91], [127, -128, 40]], dtype=torch.int8), torch.tensor([[2, 90, 70], [1, -1, 40]], dtype=torch.int8)))
def int8_wraps_at_each_step(x, y):
    return (x + y) * 13, x * 13 + y * 13, (x - y) * -1, (x * 77).to(torch.int32), x.to(torch.int32) * 77, (x + y) // 2, (x * y) + x * y


@calls((torch.tensor([250, 7], dtype=torch.uint8), torch.tensor([32760, -32768], dtype=torch.int16)))
def small_integers_do_not_widen(u, s):
    return (u + 10) // 2, (u * 3) >> 1, s + s - s, -s, (s * 2).to(torch.float32), u - 251, (u.to(torch.int32) + 10) // 2


@calls((torch.tensor([-0.0, 0.0, -0.25, 1.5]),), (torch.tensor([-0.0, 0.0, -3.0], dtype=torch.float64),),
       (torch.tensor([-0.0, 0.0, 2.0], dtype=torch.bfloat16),), sign=True)  # fmt: skip
def sign_of_zero(x):
    z = torch.zeros_like(x)
    return (
        x + 0.0, x - 0.0, 0.0 + x, x * 1.0, x / 1.0, x**1, -x, 0.0 - x, x + z, x - z, z - x, x.neg().neg(), x * -1, torch.minimum(x, z), torch.maximum(x, z),
        1.0 / (torch.ceil(x) + 0.0), x.clamp(min=0.0), x.abs(), torch.round(x), torch.trunc(x / 2), x.add(0, alpha=3), torch.copysign(z, x),
    )  # fmt: skip


@calls((torch.tensor([-0.0, 0.0]), torch.tensor([0.0, -0.0])), sign=True)
def sign_of_zero_in_sums(a, b):
    return (
        a + b,
        torch.add(a, b, alpha=-1),
        a.sum(),
        a[:1].sum(),
        a[:1].mean(),
        torch.stack([a, b]).sum(0),
        torch.cat([a, b]) * 1,
        torch.where(a == b, a, b),
    )


@calls(
    (torch.tensor([NAN, INF, -INF, 2.0, -0.0]), torch.tensor([3, -4])), (torch.tensor([NAN, INF, 1.0]).bfloat16(), torch.tensor([2**62]))
)
def times_zero_keeps_nan(x, n):
    return (
        x * 0, 0.0 * x, x - x, x / x, x * torch.zeros_like(x), n * 0, n - n, n * torch.zeros_like(n), torch.where(x > 0, x * 0, x), x**0, torch.pow(0.0, x),
        x * 0 + 1, (x - x).sum(), x.eq(x), x.ne(x), torch.maximum(x, x), torch.minimum(x, torch.zeros_like(x)),
    )  # fmt: skip


@calls((torch.tensor([9, -9, 4]), torch.tensor([2, 2, 3])), (torch.tensor([9, -9, 4]), torch.tensor([2, 0, 3])))
def integer_division_by_zero_raises(a, b):
    return torch.div(a, b, rounding_mode="floor") + 1


@calls((torch.tensor([9, -9, 4], dtype=torch.int32),))
def integer_remainder_by_zero_raises(a):
    return torch.remainder(a, torch.zeros(3, dtype=torch.int32))


@calls((torch.ones(3, dtype=torch.int64),))
def division_by_zero_of_constants_raises_at_run_time(x):
    return x + torch.floor_divide(torch.tensor([7, 8, 9]), torch.tensor([1, 0, 2]))


@calls((torch.ones(2),))
def float_division_by_zero_of_constants(x):
    k = torch.tensor([1.0, -1.0])
    return (
        x + k / torch.zeros(2),
        k // torch.tensor([0.0, -0.0]),
        torch.fmod(k, 0.0),
        x.remainder(torch.zeros(2)),
        torch.log(torch.zeros(2)) * x,
    )


@calls((torch.tensor([7, -7, 8, -8, 1], dtype=torch.int32), torch.tensor([2, 2, -3, -3, 5], dtype=torch.int32)),
       (torch.tensor([7, -7, 8, -8, 1], dtype=torch.int8), torch.tensor([2, 2, -3, -3, 5])))  # fmt: skip
def rounding_division_and_its_dtype(a, b):
    return (
        a / b, torch.div(a, b, rounding_mode="floor"), torch.div(a, b, rounding_mode="trunc"), a // 3, a // -3, a % 3, a % -3, torch.fmod(a, 3), torch.fmod(a, -3),
        torch.remainder(a, -4), torch.remainder(5, a), a / 4, torch.div(a, 2.5, rounding_mode="trunc"), torch.div(a, 2.5, rounding_mode="floor"), a.true_divide(2), 7 // a,
    )  # fmt: skip


@calls((torch.tensor([7.5, -7.5, 0.3, -INF, NAN]),), (torch.tensor([7.5, -7.5, 0.3], dtype=torch.float16),))
def rounding_division_of_floats(x):
    return (
        torch.div(x, 2, rounding_mode="floor"),
        torch.div(x, -2, rounding_mode="trunc"),
        x // 0.1,
        x % 2,
        x % -2,
        torch.fmod(x, 2),
        x % INF,
        x // 0.0,
    )


@calls((torch.tensor([[True, False, True], [False, True, True]]),))
def boolean_constants_broadcast(x):
    return (
        x & False, x | True, x & torch.tensor([[True], [False]]), x ^ True, ~x & torch.zeros(3, dtype=torch.bool), x.logical_and(torch.tensor(0.0)),
        x.logical_or(torch.ones(4, 1, 1)), x.logical_xor(x), x | torch.zeros(2, 2, 3, dtype=torch.bool), x & x, x == True, x * True,  # noqa: E712
    )  # fmt: skip


@calls((torch.tensor([True, False, True]), torch.tensor([1.0, 2.0, 3.0]).half(), torch.tensor([4, 5, 6], dtype=torch.int16)))
def where_promotes_scalars_and_0d(c, x, n):
    return (
        torch.where(c, x, 0), torch.where(c, 1, n), torch.where(c, 2.5, n), torch.where(c, True, False), torch.where(c, 1, 2), torch.where(c, 1.0, 2),
        torch.where(c, torch.tensor(1.0, dtype=torch.float64), x), torch.where(c, torch.tensor(3), 1.5), x.masked_fill(c, 7), n.masked_fill(c, True),
        torch.where(torch.tensor(True), x, n), torch.where(c, x, torch.full((2, 1), 9.0)), torch.where(c[:, None], x, n),
    )  # fmt: skip


def _write_then_call_again(f, args):
    first = f(*args)
    for t in first:
        t.add_(100)
    return first, f(*args)


@calls((torch.zeros(3),), call=_write_then_call_again)
def constant_results_are_fresh_each_call(x):
    k = torch.arange(3.0)
    return torch.ones(3) * 2, torch.zeros(2, 3), k, k.view(3, 1), torch.tensor([1, 2]), torch.full((), 5), torch.eye(2)


@program(call=_write_then_call_again, context=torch.no_grad)
def results_computed_from_weights_only_are_fresh():
    class Weights(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.w = torch.nn.Parameter(torch.randn(3, 3))
            self.register_buffer("b", torch.arange(3.0))

        def forward(self, x):
            return self.w * 2, self.w.t() @ self.w, self.b + 1, x + self.b

    return Weights(), [(torch.zeros(3),), (torch.ones(3),)]


def _write_into_results(f, args):
    results = f(*args)
    for k, r in enumerate(results):
        r.add_(k + 1)
    return results


@calls((torch.arange(6.0).reshape(2, 3),), call=_write_into_results)
def no_ops_that_copy(x):
    return (
        F.pad(x, (0, 0)),
        x.clone(),
        x.to(torch.float32).mul(1),
        x.repeat(1, 1),
        torch.cat([x]),
        x.flip(()),
        x.roll(0, 0),
        x + 0,
        x**1,
        x.abs().abs(),
        torch.stack([x])[0],
    )


@calls((torch.arange(6.0).reshape(2, 3),), call=_write_into_results)
def no_ops_that_alias(x):
    return (
        x.contiguous(),
        x.reshape(2, 3),
        x.to(torch.float32),
        x.expand(2, 3),
        x[:],
        x.transpose(0, 0),
        x.permute(0, 1),
        x.float(),
        x.squeeze(),
    )


@calls((torch.tensor([1.0, -2.0], dtype=torch.float64), torch.tensor([1, -1])), tol=0.0)
def wide_constants_stay_exact(x, n):
    c = torch.tensor(1.0 + 2**-40, dtype=torch.float64)
    big = torch.tensor(2**40)
    return (
        x * c,
        x.sub(1, alpha=2),
        n + (2**53 + 1),
        n * big,
        x + 1e-12,
        torch.rsub(x, 3, alpha=4),
        n * (2**62),
        x * 0.1,
        n.double() * 0.1,
        torch.full((2,), 2**53 + 1),
        x + 2**53,
    )


@calls((torch.tensor([1.0, -2.0]), torch.tensor([1.0, 3.0]).bfloat16()), tol=0.0)
def scalars_do_not_widen_tensors(x, b):
    return (
        x + 0.1,
        x * 1e-40,
        x + 1e39,
        b + 1.00390625,
        b * 0.1,
        0.1 * b - 0.1,
        x / 3,
        b / 3,
        torch.add(b, b, alpha=0.1),
        x + True,
        torch.tensor(0.1) + b,
        torch.tensor(0.1, dtype=torch.float64) * x,
    )


@calls((torch.randn(2, 3),))
def integer_constant_cast_and_scaled(x):
    k = torch.full((2, 3), 3, dtype=torch.int32)
    k = k + k
    return (
        k.to(torch.float32) * 0.3 + x,
        k.float().to(torch.int8),
        (k.to(torch.float16) / 7).to(torch.int64),
        (k * 50).to(torch.int8).float() + x,
        k.to(torch.bool) * x,
    )


@calls((torch.tensor([0, 2]),))
def sequences_as_constants(i):
    return (
        torch.arange(5)[i], torch.arange(0, 1, 0.3), torch.arange(5, 0, -2), torch.linspace(0, 1, 5, dtype=torch.float16), torch.logspace(0, 2, 3), torch.eye(3)[i],
        torch.tril(torch.ones(3, 3))[i], torch.arange(3, dtype=torch.float64) + i.sum(), torch.full((2,), True), torch.scalar_tensor(3), torch.tril_indices(3, 3, -1),
    )  # fmt: skip


test_folding = collect(globals())
