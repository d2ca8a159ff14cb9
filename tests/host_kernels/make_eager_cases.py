"""Writes the cases that the reference kernels of the element-wise operators are tested with, answers by eager PyTorch.

    .venv/bin/python tests/host_kernels/make_eager_cases.py [OP ...]

One file an operator, <group>/<op>.txt, read by elewise_cases_test.cc: modules in the text form (docs/text_ir.md), each
after a line "// tolerance T" (of max(|expected|, 0.01); 0 means the same bits, NaN payloads aside), whose graph returns pairs (computed,
expected). Inputs mix random numbers with 0, -0, NaN, infinities, the ends of the integer types; calls that raise in eager
are left out, and so is what eager answers differently for the vector body and the scalar tail of one loop.
"""
# A check runs at once, so a lambda over a loop variable sees the current one.
# ruff: noqa: B023, B006, C408, E731, E501

import math
import pathlib
import re
import sys
import warnings

import numpy
import torch

warnings.filterwarnings("ignore")
torch.set_num_threads(1)
torch.manual_seed(0)
HERE = pathlib.Path(__file__).resolve().parent
KERNELS = HERE.parent.parent / "host_kernels"
GROUPS = ("elewise_calculation_ops", "nonlinear_ops", "selection_ops")
# fmt: off
DTYPES = dict(f32=torch.float32, f16=torch.float16, bf16=torch.bfloat16, f64=torch.float64, i8=torch.int8, i16=torch.int16, i32=torch.int32,
              i64=torch.int64, u8=torch.uint8, bool=torch.bool, c64=torch.complex64, c128=torch.complex128)
# fmt: on
NAMES = {v: k for k, v in DTYPES.items()}
D = DTYPES
N = 16
CASES = {}  # op -> module texts


def number_text(v, dtype=torch.float64):
    if math.isnan(v):
        return "nan"
    if math.isinf(v):
        return "inf" if v > 0 else "-inf"
    return str(numpy.float32(v)) if dtype in (torch.float32, torch.complex64) else repr(v)


def element(v, dtype):
    if isinstance(v, bool):
        return str(v).lower()
    if isinstance(v, complex):
        return f"complex({number_text(v.real, dtype)},{number_text(v.imag, dtype)})"
    return number_text(v, dtype) if isinstance(v, float) else str(v)


def attribute(v):
    if isinstance(v, torch.dtype):
        return f"dtype({NAMES[v]})"
    return f'"{v}"' if isinstance(v, str) else element(v, torch.float64)


def type_of(t):
    return f"{NAMES[t.dtype]}[{','.join(map(str, t.shape))}]"


def constant(t):
    def nest(x):
        return "[" + ", ".join(map(nest, x)) + "]" if isinstance(x, list) else element(x, t.dtype)

    return f"Const {nest(t.tolist())} : {type_of(t)}"


# Inference leaves these to the fallback node.
REFUSED = re.compile(r"clamp u8 \{'min': -1|clamp bool|cast i64 c64|mf bool")


def check(label, op, inputs, attrs, reference, tolerance=0.0):
    if REFUSED.match(label):
        return
    try:
        results = reference()
    except Exception:
        return
    results = [results] if isinstance(results, torch.Tensor) else list(results)
    lines, names = [], []
    for i, t in enumerate(inputs):
        names.append("none" if t is None else f"%x{i}")
        if t is not None:
            lines.append(f"  %x{i} = {constant(t.contiguous())}")
    attrs_text = " {" + ", ".join(f"{k}={attribute(v)}" for k, v in sorted(attrs.items())) + "}" if attrs else ""
    ys = [f"%y{i}" for i in range(len(results))]
    lines.append(f"  {', '.join(ys)} = {op}({', '.join(names)}){attrs_text} : {', '.join(map(type_of, results))}")
    lines += [f"  %want{i} = {constant(r.contiguous())}" for i, r in enumerate(results)]
    pairs = ", ".join(f"{y}, %want{i}" for i, y in enumerate(ys))
    name = re.sub(r"\W+", "_", label).strip("_")
    tolerance = tolerance if any(r.is_floating_point() or r.is_complex() for r in results) else 0.0
    CASES.setdefault(op, []).append(f"// tolerance {tolerance:.3g}\ngraph @{name}() {{\n" + "\n".join(lines) + f"\n  return {pairs}\n}}\n")


def data(dt, n=N, kind=0):
    if dt == torch.bool:
        return torch.rand(n) > 0.5
    if dt.is_complex:
        return torch.complex(torch.randn(n, dtype=torch.float64) * 2, torch.randn(n, dtype=torch.float64) * 2).to(dt)
    if not dt.is_floating_point:
        info = torch.iinfo(dt)
        t = torch.randint(max(info.min, -20), min(info.max, 20), (n,), dtype=dt)
        t[0], t[1] = info.min, info.max
        return t
    special = torch.tensor([0.0, -0.0, math.nan, math.inf, -math.inf, 1, 2.5, -0.5, 20, -1e-6])
    t = torch.randn(n, dtype=torch.float64) * 3
    t[: len(special)] = special
    if kind:
        t = t.flip(0)[torch.arange(n).roll(7)]
        t[1], t[3], t[12] = -0.0, 2.0, math.nan
    t = t.to(dt)
    t[t.isnan()] = math.nan  # one bit pattern
    return t


TOL = {torch.float32: 5e-7, torch.float64: 2e-15, torch.float16: 1e-3, torch.bfloat16: 8e-3}
A = torch.ops.aten
fl = ("f32", "f64", "bf16", "f16")


def unary(op, f, dts, attrs={}, exact=False):
    for k in dts:
        x = data(D[k])
        t = 0 if exact else TOL.get(D[k], 5e-7) * 4
        check(f"{op} {k} {attrs}", op, [x], attrs, lambda: f(x), t)


ints = ("i8", "i16", "i32", "i64", "u8")
real = fl + ints
rb = real + ("bool",)
al = rb + ("c64", "c128")
for op, f in dict(
    Sqrt=torch.sqrt,
    Rsqrt=torch.rsqrt,
    Reciprocal=torch.reciprocal,
    Expm1=torch.expm1,
    Log1p=torch.log1p,
    Sin=torch.sin,
    Cos=torch.cos,
    Tan=torch.tan,
    Asin=torch.asin,
    Acos=torch.acos,
    Atan=torch.atan,
    Sinh=torch.sinh,
    Cosh=torch.cosh,
    Asinh=torch.asinh,
    Acosh=torch.acosh,
    Atanh=torch.atanh,
    Erf=torch.erf,
    Erfc=torch.erfc,
    Erfinv=torch.erfinv,
    Exp=torch.exp,
    Log=torch.log,
    Tanh=torch.tanh,
    Sigmoid=torch.sigmoid,
).items():
    unary(op, f, rb)
for k in fl:
    x = (torch.rand(16, dtype=torch.float64) * 2 - 1).to(D[k])
    check("erfinv " + k, "Erfinv", [x], {}, lambda: torch.erfinv(x), TOL[D[k]] * 4)
unary("Exp", torch.exp2, rb, {"base": 2.0})
unary("Log", torch.log2, rb, {"base": 2.0})
unary("Log", torch.log10, rb, {"base": 10.0})
for op, f, d in [
    ("Abs", torch.abs, real),
    ("Neg", torch.neg, real + ("c64", "c128")),
    ("Square", torch.square, real),
    ("Ceil", torch.ceil, real),
    ("Floor", torch.floor, real),
    ("Round", torch.round, real),
    ("Trunc", torch.trunc, real),
    ("Frac", torch.frac, fl),
    ("Sign", torch.sgn, rb),
    ("Invert", torch.bitwise_not, ints + ("bool",)),
    ("NanToNum", torch.nan_to_num, rb),
    ("IsNan", torch.isnan, rb),
    ("IsInf", torch.isinf, rb),
    ("IsFinite", torch.isfinite, rb),
    ("LogicalNot", torch.logical_not, rb),
    ("SignBit", torch.signbit, rb),
    ("IsPosInf", torch.isposinf, rb),
    ("IsNegInf", torch.isneginf, rb),
    ("Relu", torch.relu, real),
]:
    unary(op, f, d, exact=True)
unary("Relu6", A.relu6, fl + ints[:4], exact=True)
unary("NanToNum", lambda x: torch.nan_to_num(x, 1.5, 7, -8.0), fl, {"nan": 1.5, "posinf": 7, "neginf": -8.0}, exact=True)


def binary(op, f, dts, attrs={}, exact=True, tolx=4):
    for k in dts:
        for shp in (0, 1):
            x, y = data(D[k]), data(D[k], kind=1)
            if shp:
                x, y = x[:15].reshape(5, 3)[:, None, :], y[6:8].reshape(2, 1)
                y = torch.where(y == 0, torch.ones_like(y), y)  # which of 0 and -0 is the larger depends on the loop
            check(f"{op} {k} bcast{shp} {attrs}", op, [x, y], attrs, lambda: f(x, y), 0 if exact else TOL.get(D[k], 5e-7) * tolx)


num = real + ("c64", "c128")
binary("Add", torch.add, al)
binary("Sub", torch.sub, num)
binary("Mul", torch.mul, rb)
binary("RealDiv", torch.div, rb)
nz = lambda f: lambda x, y: f(x, torch.where(y == 0, 1, y).to(y.dtype))
for op, f in [
    ("FloorDiv", torch.floor_divide),
    ("FloorDiv", lambda x, y: torch.div(x, y, rounding_mode="floor")),
    ("TruncateDiv", lambda x, y: torch.div(x, y, rounding_mode="trunc")),
    ("FloorMod", torch.remainder),
    ("Mod", torch.fmod),
]:
    binary(op, f, fl)
    for k in ints:
        x, y = data(D[k]), data(D[k], kind=1)
        y[y == 0] = 3
        if k != "u8":
            y[y == -1] = 2
        check(f"{op} {k}", op, [x, y], {}, lambda: f(x, y))
binary("Pow", torch.pow, real, exact=False)
for op, f in [("Maximum", torch.maximum), ("Minimum", torch.minimum), ("Fmax", torch.fmax), ("Fmin", torch.fmin)]:
    binary(op, f, rb)
binary("Atan2", torch.atan2, rb, exact=False)
binary("Hypot", torch.hypot, fl, exact=False)
binary("Copysign", torch.copysign, rb)
binary("Xlogy", torch.xlogy, rb, exact=False)
binary("LogAddExp", torch.logaddexp, fl, exact=False)
for op, f in [("Equal", torch.eq), ("NotEqual", torch.ne)]:
    binary(op, f, al)
for op, f in [
    ("Less", torch.lt),
    ("LessEqual", torch.le),
    ("Greater", torch.gt),
    ("GreaterEqual", torch.ge),
    ("LogicalAnd", torch.logical_and),
    ("LogicalOr", torch.logical_or),
    ("LogicalXor", torch.logical_xor),
]:
    binary(op, f, rb)
for op, f in [("BitwiseAnd", torch.bitwise_and), ("BitwiseOr", torch.bitwise_or), ("BitwiseXor", torch.bitwise_xor)]:
    binary(op, f, ints + ("bool",))
for op, f in [("LeftShift", torch.bitwise_left_shift), ("RightShift", torch.bitwise_right_shift)]:
    binary(op, f, ints)


# scalars
def with_number(op, f, dts, vals, attr="scalar", left=False, exact=True, extra={}):
    for k in dts:
        for s in vals:
            x = data(D[k])
            ins = [None, x] if left else [x]
            check(
                f"{op} {k} scalar {s!r} left{left} {extra}",
                op,
                ins,
                {attr: s, **extra},
                lambda: f(x, s),
                0 if exact else TOL.get(D[k], 5e-7) * 8,
            )


V = (2, 3, 0.1001, -1.7, True, 0)
with_number("Adds", A.add.Scalar, rb, V, "value")
with_number("Muls", A.mul.Scalar, rb, V, "value")
with_number("Sub", A.sub.Scalar, real, V)
with_number("Sub", A.rsub.Scalar, real, V, left=True)
with_number("RealDiv", A.div.Scalar, rb, V)
with_number("FloorDiv", A.floor_divide.Scalar, real, V)
with_number("FloorDiv", lambda x, s: A.div.Scalar_mode(x, s, rounding_mode="floor"), real, V)
with_number("TruncateDiv", lambda x, s: A.div.Scalar_mode(x, s, rounding_mode="trunc"), real, V)
with_number("FloorMod", A.remainder.Scalar, real, V)
with_number("Mod", A.fmod.Scalar, real, V)
with_number("FloorMod", A.remainder.Scalar_Tensor and (lambda x, s: A.remainder.Scalar_Tensor(s, x)), fl, V, left=True)
with_number("Pow", A.pow.Tensor_Scalar, real, (0, 1, 2, 3, 4, 0.5, -0.5, 2.0, 3.0, 1.1001, -1.0, -2.0, -1, -2), exact=False)
with_number("Pow", lambda x, s: A.pow.Scalar(s, x), fl + ("i64", "u8"), (1, 2, 1.1001, 0), left=True, exact=False)
for op, f in [
    ("Equal", A.eq.Scalar),
    ("NotEqual", A.ne.Scalar),
    ("Less", A.lt.Scalar),
    ("LessEqual", A.le.Scalar),
    ("Greater", A.gt.Scalar),
    ("GreaterEqual", A.ge.Scalar),
]:
    with_number(op, f, rb, V)
for op, f in [("BitwiseAnd", A.bitwise_and.Scalar), ("BitwiseOr", A.bitwise_or.Scalar), ("BitwiseXor", A.bitwise_xor.Scalar)]:
    with_number(op, f, ints + ("bool",), (1, 5, True))
with_number("LeftShift", A.__lshift__.Scalar, ints, (0, 1, 3, 70, 8))
with_number("RightShift", A.__rshift__.Scalar, ints, (0, 1, 3, 70, 8))
with_number("LeftShift", A.bitwise_left_shift.Tensor_Scalar, ints, (0, 3, 70))
with_number("RightShift", lambda x, s: A.bitwise_right_shift.Scalar_Tensor(s, x), ints, (100, 7), left=True)
with_number("Copysign", A.copysign.Scalar, rb, (-1.0, 2, -0.0))
for al_ in (2, 0.1001, -1.5, 3):
    for op, f in [("Axpy", lambda x, y: torch.add(x, y, alpha=al_)), ("Sxpy", lambda x, y: torch.sub(x, y, alpha=al_))]:
        for k in real:
            if k in ints and isinstance(al_, float):
                continue
            x, y = data(D[k]), data(D[k], kind=1)
            check(f"{op} {k} alpha{al_}", op, [x, y], {"alpha": al_}, lambda: f(x, y), TOL.get(D[k], 0) * 2)
for k in fl:
    x = data(D[k])
    check("rsub alpha", "Sxpy", [None, x], {"alpha": 1.5, "scalar": 0.1001}, lambda: A.rsub.Scalar(x, 0.1001, 1.5), TOL[D[k]] * 2)
    y, w = data(D[k], kind=1), data(D[k]).roll(5)
    for v in (1, 0.1001, -2):
        check(f"addcmul {k} {v}", "Addcmul", [x, y, w], {"value": v}, lambda: torch.addcmul(x, y, w, value=v), TOL[D[k]] * 40)
        check(f"addcdiv {k} {v}", "Addcdiv", [x, y, w], {"value": v}, lambda: torch.addcdiv(x, y, w, value=v), TOL[D[k]] * 40)
        xx, yy = torch.randn(16).to(D[k]), torch.randn(16).to(D[k])
        check(f"lerp {k} {v}", "Lerp", [xx, yy], {"scalar": v}, lambda: torch.lerp(xx, yy, v), TOL[D[k]] * 400)
    weight = torch.rand(16).to(D[k])
    check(f"lerp t {k}", "Lerp", [xx, yy, weight], {}, lambda: torch.lerp(xx, yy, weight), TOL[D[k]] * 400)
for k in ints:
    x, y, w = data(D[k]), data(D[k], kind=1), data(D[k])
    check(f"addcmul {k}", "Addcmul", [x, y, w], {"value": 3}, lambda: torch.addcmul(x, y, w, value=3))
for k in rb:
    x, lo, hi = data(D[k]), data(D[k], kind=1), data(D[k]).roll(5)
    for a in ({"min": -1}, {"max": 2.5}, {"min": -1.3, "max": 1}, {"min": 2, "max": 1}, {"min": math.nan}, {"min": 0.0}, {"max": -0.0}):
        check(f"clamp {k} {a}", "ClipByValueV2", [x], a, lambda: torch.clamp(x, **a))
    check(f"clampT {k}", "ClipByValueV2", [x, lo, hi], {}, lambda: torch.clamp(x, lo, hi))
    check(f"clampmin {k}", "ClipByValueV2", [x, lo], {}, lambda: torch.clamp_min(x, lo))
    check(f"clampmax {k}", "ClipByValueV2", [x, None, hi], {}, lambda: torch.clamp_max(x, hi))
for k in al:
    for to in al:
        x = data(D[k])
        if k in ("c64", "c128") and to not in ("c64", "c128"):
            continue
        check(f"cast {k} {to}", "Cast", [x], {"dst_type": D[to]}, lambda: x.to(D[to]))
F = torch.nn.functional
for op, f, a in [
    ("Hardtanh", lambda x: F.hardtanh(x, -0.3, 1.1), {"min_val": -0.3, "max_val": 1.1}),
    ("LeakyRelu", lambda x: F.leaky_relu(x, 0.1001), {"negative_slope": 0.1001}),
    ("Elu", lambda x: A.elu(x, 1.3, 1.1, 0.9), {"alpha": 1.3, "scale": 1.1, "input_scale": 0.9}),
    ("Elu", lambda x: A.elu(x), {"alpha": 1, "scale": 1, "input_scale": 1}),
    ("Selu", F.selu, {}),
    ("CeluV2", lambda x: F.celu(x, 1.3), {"alpha": 1.3}),
    ("GeluV2", F.gelu, {}),
    ("GeluV2", lambda x: F.gelu(x, approximate="tanh"), {"approximate": "tanh"}),
    ("Swish", F.silu, {}),
    ("HardSwish", F.hardswish, {}),
    ("HardSigmoid", F.hardsigmoid, {}),
    ("SoftplusV2", lambda x: F.softplus(x, 1.5, 10), {"beta": 1.5, "threshold": 10}),
    ("Mish", F.mish, {}),
    ("SoftShrink", lambda x: F.softshrink(x, 0.7), {"lambd": 0.7}),
    ("HardShrink", lambda x: F.hardshrink(x, 0.7), {"lambd": 0.7}),
]:
    for k in fl:
        x = data(D[k])
        if op == "GeluV2":
            x[x.isinf()] = 2.0  # eager's kernels disagree on infinity
        check(f"{op} {k} {a}", op, [x], a, lambda: f(x), TOL[D[k]] * (80 if op == "GeluV2" else 8))
for k in real:
    x = data(D[k])
    check(f"threshold {k}", "ThresholdV2", [x], {"threshold": 1, "value": 5}, lambda: F.threshold(x, 1, 5))
    dy = data(D[k], kind=1)
    check(f"thresholdgrad {k}", "ThresholdGradV2D", [dy, x], {"threshold": 0}, lambda: A.threshold_backward(dy, x, 0))
for k in fl:
    x, w = data(D[k])[:16].reshape(2, 4, 2), data(D[k], kind=1)[:4].reshape(1, 4, 1)
    t = TOL[D[k]] * 8
    check(f"prelu {k}", "PRelu", [x, w], {}, lambda: A._prelu_kernel(x, w))
    check(f"glu {k}", "GLU", [x], {"dim": 1}, lambda: F.glu(x, 1), t)
    x = data(D[k])
    dy = data(D[k], kind=1)
    s = torch.rand(16).to(D[k])
    check(f"logsigmoid {k}", "LogSigmoid", [x], {}, lambda: A.log_sigmoid_forward(x), t)
    x[x.isnan()] = 1.5  # vector body and scalar tail of the gradients disagree on NaN
    buf = torch.exp(-x.abs())
    G = [
        ("SigmoidGrad", [s, dy], {}, lambda: A.sigmoid_backward(dy, s)),
        ("TanhGrad", [s, dy], {}, lambda: A.tanh_backward(dy, s)),
        ("SwishGrad", [dy, x], {}, lambda: A.silu_backward(dy, x)),
        ("HardSwishGrad", [dy, x], {}, lambda: A.hardswish_backward(dy, x)),
        ("HardSigmoidGrad", [dy, x], {}, lambda: A.hardsigmoid_backward(dy, x)),
        ("HardtanhGrad", [x, dy], {"min_val": -1, "max_val": 1.5}, lambda: A.hardtanh_backward(dy, x, -1, 1.5)),
        ("LeakyReluGrad", [dy, x], {"negative_slope": 0.1}, lambda: A.leaky_relu_backward(dy, x, 0.1, False)),
        ("SoftplusV2Grad", [dy, x], {"beta": 1.5, "threshold": 10}, lambda: A.softplus_backward(dy, x, 1.5, 10)),
        ("MishGrad", [dy, x], {}, lambda: A.mish_backward(dy, x)),
        ("LogSigmoidGrad", [dy, x, buf], {}, lambda: A.log_sigmoid_backward(dy, x, buf)),
        ("SoftShrinkGrad", [dy, x], {"lambd": 0.7}, lambda: A.softshrink_backward(dy, x, 0.7)),
        ("HardShrinkGrad", [dy, x], {"lambd": 0.7}, lambda: A.hardshrink_backward(dy, x, 0.7)),
    ]
    for op, i, a, f in G:
        check(f"{op} {k}", op, i, a, f, t * 40)
    for ap in ("none", "tanh"):
        check(f"gelugrad {k} {ap}", "GeluGradV2", [dy, x], {"approximate": ap}, lambda: A.gelu_backward(dy, x, approximate=ap), t * 40)
    for isr in (False, True):
        check(
            f"elugrad {k} {isr}",
            "EluGradV2",
            [dy, x],
            {"alpha": 1.3, "scale": 1.1, "input_scale": 0.9, "is_result": isr},
            lambda: A.elu_backward(dy, 1.3, 1.1, 0.9, isr, x),
            t * 40,
        )
    check(f"prelugrad {k}", "PReluGrad", [dy, x, x.roll(3)], {}, lambda: A._prelu_kernel_backward(dy, x, x.roll(3)), t)
    m = torch.rand(16) > 0.3
    check(f"dropgrad {k}", "DropOutDoMask", [dy, m], {"scale": 1.4286}, lambda: A.native_dropout_backward(dy, m, 1.4286))
    xx, yy = torch.randn(5, 7).to(D[k]), torch.randn(7).to(D[k])
    for r in (0, 1, 2):
        check(f"mse {k} {r}", "MseLoss", [xx, yy], {"reduction": r}, lambda: A.mse_loss(xx, yy, r), t * 4)
for k in al:
    x, y = data(D[k]), data(D[k], kind=1)
    c = torch.rand(16) > 0.5
    check(f"where {k}", "SelectV2", [c, x, y], {}, lambda: torch.where(c, x, y))
    check(f"whereS {k}", "SelectV2", [c, x], {"scalar": 2}, lambda: torch.where(c, x, 2))
    check(f"whereS {k}", "SelectV2", [c, None, x], {"scalar": 2.5}, lambda: torch.where(c, 2.5, x))
    check(f"mf {k}", "MaskedFill", [x, c], {"scalar": 1}, lambda: x.masked_fill(c, 1))
    v = y[5].clone()
    check(f"mft {k}", "MaskedFill", [x, c, v], {}, lambda: x.masked_fill(c, v))


def snake(name):
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


for op, modules in CASES.items():
    if sys.argv[1:] and op not in sys.argv[1:]:
        continue
    group = next(g for g in GROUPS if (KERNELS / g / f"{snake(op)}.cc").exists())
    (HERE / group).mkdir(exist_ok=True)
    (HERE / group / f"{snake(op)}.txt").write_text("\n".join(modules))
print(
    "without cases:",
    *sorted(
        snake_file
        for g in GROUPS
        for snake_file in (p.stem for p in (KERNELS / g).glob("*.cc"))
        if snake_file not in {snake(o) for o in CASES}
    ),
)
