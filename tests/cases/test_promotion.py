"""Type promotion and rounding: between dtypes, at casts, in low precision, in integer arithmetic."""

import torch
from programs import calls, collect, program


@calls((torch.ones(3, dtype=torch.bool), torch.randn(3).half(), torch.randn(3)))
def ldexp_promotes(a, b, c):
    return torch.ldexp(a, b), torch.ldexp(b, c), torch.ldexp(c, b), torch.ldexp(a, a)


@calls(
    (
        torch.tensor([True, False]),
        torch.tensor([3, 200], dtype=torch.uint8),
        torch.tensor([0.5, 2.0]).half(),
        torch.tensor([2.0, -1.0]).bfloat16(),
        torch.tensor([5, 6]),
    )
)
def binary_operators_promote(b, u, h, f, n):
    return (
        b + u,
        u * h,
        h + f,
        f / n,
        n * b,
        b / b,
        u / u,
        torch.maximum(u, n),
        torch.pow(u, h),
        torch.pow(n, 2.5),
        torch.atan2(b, n),
        u == h,
        torch.hypot(h, f.half()),
        n.float() + h,
        u + 300,
        b + 1.5,
        torch.add(u, b, alpha=2),
    )


@calls((torch.tensor(1.5, dtype=torch.float64), torch.tensor([1, 2], dtype=torch.int32), torch.tensor([0.5]).half(), torch.tensor(7)))
def zero_dim_tensors_weigh_less(d, n, h, k):
    return (
        d * n,
        d + h,
        n + k,
        h * k,
        h * d + n,
        torch.where(n > 1, d, h),
        n * 2.0,
        torch.stack([d, d]) * h,
        n.add(k, alpha=2),
        k / h,
        k + d,
        torch.maximum(h, d.half()),
    )


@program()
def integer_matmul_wraps():
    def f(a, b, c):
        return torch.matmul(a, b), torch.bmm(a, b) + 1, c @ c + c @ c.t(), torch.addmm(c, c, c), torch.mv(c, c[0])

    a = torch.tensor([[[100, 3], [-5, 7]]], dtype=torch.int8)
    c = torch.tensor([[70000, 2], [3, -70000]], dtype=torch.int32)
    one = torch.tensor([[[90, 60]]], dtype=torch.int8)
    return f, [(a, a.transpose(1, 2), c), (one, a, c)]


@program(context=torch.no_grad)
def low_precision_matmul_plus_float32():
    linear = torch.nn.Linear(6, 6, bias=False).to(torch.bfloat16)
    w = torch.randn(6)

    def f(x):
        y = linear(x)
        return y + w, torch.mm(x, x.t()[:6, :]) + torch.ones(4), (y.float() + w).to(torch.bfloat16), torch.relu(y + w), y * w + y

    return f, [(torch.randn(4, 6).to(torch.bfloat16),)]


@calls((torch.randn(3, 4).half(), torch.randn(4, 2).half(), torch.randn(2)))
def half_matmul_plus_float32_bias(x, w, b):
    return x @ w + b, torch.addmm(b.half(), x, w) + b, (x @ w).float() + b, (x @ w) * 2.0, torch.sigmoid(x @ w + b)


@calls((torch.tensor([1, 2], dtype=torch.int16), torch.tensor([0.5, 1.5]).half(), torch.tensor([True, False])))
def cat_and_stack_promote(a, b, c):
    return (
        torch.cat([a, b]), torch.cat([a, c, b]), torch.stack([a, c.to(torch.int8)]), torch.cat([a, torch.zeros(0, dtype=torch.float64)]), torch.hstack([c, a]),
        torch.cat([torch.zeros(0), b]), torch.vstack([a, b]), torch.cat([a.view(1, 2), torch.zeros(0), b.view(1, 2)]), torch.stack([c, c]).sum(0), torch.cat([c, c]) + a.repeat(2),
    )  # fmt: skip


@calls((torch.arange(-10, 10, dtype=torch.float32).reshape(4, 5) / 7.0,), tol=0.0)
def pairs_of_casts_are_not_nothing(x):
    return (
        x.half().float(), x.to(torch.bfloat16).to(torch.float32), x.to(torch.int32).to(torch.float32), x.bool().float(), x.abs().to(torch.uint8).to(torch.int64), x.double().float(),
        x.half().to(torch.bfloat16).float(), x.to(torch.int8).to(torch.int64).float(), x.bool().to(torch.int8).bool(), (x * 50).to(torch.int8).to(torch.int32), x.double().half().double(),
    )  # fmt: skip


@calls((torch.tensor([2**24 + 1, -(2**31), 7]), torch.tensor([2**53 + 1, 3])), tol=0.0)
def integers_through_floats(n, m):
    return (
        n.float().to(torch.int64),
        m.double().to(torch.int64),
        n.half(),
        m.float(),
        n.to(torch.int8),
        n.to(torch.int32).to(torch.int64),
        m.to(torch.bfloat16).to(torch.int64),
        (n / 1).to(torch.int64),
    )


@program()
def low_precision_rounds_before_comparing():
    def f(a, b):
        d = -(a - b) + 1.7
        return d > 0, d == 0, (a * b) == (a * b + 0.001), d.clamp_min(0), (a + b - b) == a, (a / 3 * 3) == a, torch.round(a * 100)

    a = torch.linspace(-2, 2, 33)
    return f, [(a.to(t), (a.flip(0) + 1.703125).to(t)) for t in (torch.bfloat16, torch.float16)]


@calls((torch.linspace(-3, 3, 40).bfloat16(),), tol=0.0)
def low_precision_chains_round_at_each_step(x):
    y = x * 1.1
    z = y + 0.3
    return (
        y,
        z,
        z * z - y,
        (x + 1) * (x - 1),
        torch.relu(z) * 0.37,
        x.sum(),
        x.cumsum(0),
        (x.float() * 1.1).bfloat16(),
        x - 0.1 + 0.1,
        x * 3 / 3,
    )


@calls((torch.tensor([2**62, -(2**63), 3_037_000_500]), torch.tensor([2_000_000_000, 2_000_000_000, -7], dtype=torch.int32)))
def integer_overflow_wraps(a, b):
    return (
        a * a, a.pow(3), a.sum(), a.cumsum(0), a.abs(), b.prod(), b.sum(), b * b, b.sum(dtype=torch.int32), b.to(torch.int64) * b, -a, a.prod(), b.cumprod(0), a + a, a - 1, b.square(),
        a.dot(a), b.mul(3), torch.abs(b), a * 2 // 2,
    )  # fmt: skip


@calls((torch.tensor([-1, 5, 1 << 30], dtype=torch.int32), torch.tensor([0, 3, 31], dtype=torch.int32), torch.tensor([-8, 9])))
def shifts_and_powers(a, s, n):
    return (
        a << s,
        a >> s,
        a << 3,
        n >> 1,
        n << 60,
        a.bitwise_left_shift(s),
        torch.pow(n, 3),
        n**2,
        2**s,
        torch.pow(torch.tensor([2, 3, 1]), s),
        a.pow(s),
        n.pow(0),
        torch.pow(1, n),
    )


@calls((torch.tensor([True, False, True]), torch.tensor([1, 200, 255], dtype=torch.uint8), torch.tensor([-1, 2, 300], dtype=torch.int32)))
def bool_and_unsigned_arithmetic(b, u, n):
    return (
        b + b, b * 3, b.sum(), b.float().mean(), ~b, u << 1, u >> 2, ~u, -u, u - 200, n ^ 5, n & u, n | u, b & (n > 1), b.any(), b.cumsum(0), b.to(torch.uint8) * 255, u.sum(),
        u.float().sum().to(torch.uint8), abs(n), n.bitwise_not(), b.prod(), b.int() - 2, b < 1, u * u, u + b, b.max(), b.logical_not(), torch.maximum(b, ~b), b == 1, 255 - u, u // 7, u.square(), n.sign(),
    )  # fmt: skip


@calls((torch.tensor([3, -4], dtype=torch.int8),))
def unary_functions_of_integers(n):
    return (
        torch.sin(n),
        torch.sqrt(n.abs()),
        torch.exp(n),
        n.sigmoid(),
        torch.rsqrt(n.abs()),
        n.relu(),
        n.sign(),
        n.ceil(),
        torch.tanh(n),
        n.reciprocal(),
        n.float().log(),
        n.abs().log2(),
        torch.nn.functional.relu6(n),
        torch.erf(n),
        n.square(),
        n.neg(),
    )


@calls((torch.tensor([0.5, -1.5, 300.0]),), (torch.tensor([0.5, -1.5, 30.0]).half(),))
def casts_of_floats(x):
    return (
        x.to(torch.int32),
        x.to(torch.int64),
        x.to(torch.int16),
        x.bool(),
        x.abs().to(torch.uint8) if x.dtype == torch.float16 else x.abs(),
        x.to(torch.complex64),
        x.type(torch.float64),
        x.type_as(torch.ones(1, dtype=torch.int32)),
    )


test_promotion = collect(globals())
