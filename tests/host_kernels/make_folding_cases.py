"""Writes the cases that the reference kernels of constant folding are tested with: one file an operator, folding/<op>.txt.

    .venv/bin/python tests/host_kernels/make_folding_cases.py [OP ...]

A grid of dtypes x shapes x corner values for each operator that GE folds with a kernel of its own. Expected values come from
eager PyTorch, or, where ATen has no such operator, from a formula in numpy that is written here and nowhere else. The file is
read by folding_cases_test.cc. Each module follows a line that says what is expected of it:

    // tolerance T      the graph returns pairs (computed, expected), equal within T * max(|expected|, 0.01); 0: the same bits
    // raises           eager raises: neither reading nor running the module may give a value
    // left to eager    eager has a value that the operator refuses to express (Unimplemented); the reason is in LEFT
"""

# The grids are tables: long lines, named lambdas.
# ruff: noqa: E501, E731, B023

import itertools
import math
import pathlib
import re
import sys
import warnings

import numpy
import torch

warnings.filterwarnings("ignore")
torch.set_num_threads(1)
HERE = pathlib.Path(__file__).resolve().parent / "folding"
# fmt: off
DTYPES = {"f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16, "f64": torch.float64, "i8": torch.int8, "i16": torch.int16,
          "i32": torch.int32, "i64": torch.int64, "u8": torch.uint8, "bool": torch.bool, "c64": torch.complex64, "c128": torch.complex128}
# fmt: on
NAMES = {v: k for k, v in DTYPES.items()}
FLOATS, INTS, COMPLEX = ("f32", "f64", "bf16", "f16"), ("i8", "i16", "i32", "i64", "u8"), ("c64", "c128")
REALS = FLOATS + INTS
ALL = (*REALS, "bool", *COMPLEX)
SHAPES = [(), (1,), (3,), (2, 3), (0,), (2, 0, 3)]
NAN, INF = math.nan, math.inf
FILES = {}  # op -> module texts

# Label -> why the operator leaves the case to eager's own kernel. Everything else must have eager's value.
LEFT = {
    r"^Cast c\d+ (?!c)": "eager warns that the imaginary part is lost",
    r"^Range (i\d+|u8) of floats": "eager converts the bounds first, which changes the count",
    r"^Range (i64|operands i64) far": "eager's count overflows, and the result is empty",
}


def left(label):
    return next((why for pattern, why in LEFT.items() if re.search(pattern, label)), None)


# ---- text form


def number(v, dtype=torch.float64):
    if isinstance(v, bool):
        return str(v).lower()
    if isinstance(v, complex):
        return f"complex({number(v.real, dtype)},{number(v.imag, dtype)})"
    if not isinstance(v, float):
        return str(v)
    if math.isnan(v):
        return "nan"
    if math.isinf(v):
        return "inf" if v > 0 else "-inf"
    return str(numpy.float32(v)) if dtype in (torch.float32, torch.complex64) else repr(v)


def attribute(v):
    if isinstance(v, torch.dtype):
        return f"dtype({NAMES[v]})"
    if isinstance(v, (list, tuple)):
        return "[" + ", ".join(map(attribute, v)) + "]"
    return f'"{v}"' if isinstance(v, str) else number(v)


def type_of(t):
    return f"{NAMES[t.dtype]}[{','.join(map(str, t.shape))}]"


def constant(t):
    def nest(x):
        return "[" + ", ".join(map(nest, x)) + "]" if isinstance(x, list) else number(x, t.dtype)

    return f"Const {nest(t.tolist()) if t.numel() else '[]'} : {type_of(t)}"


class Module:
    """Nodes of one operator over constants, each result beside its expected value."""

    def __init__(self, op, label):
        self.op, self.label, self.lines, self.pairs, self.tolerance = op, label, [], [], 0.0

    def call(self, inputs, attrs, results):
        n = len(self.lines)
        names = []
        for i, t in enumerate(inputs):
            names.append("none" if t is None else f"%x{n}_{i}")
            if t is not None:
                self.lines.append(f"  {names[-1]} = {constant(t.contiguous())}")
        while names and names[-1] == "none":
            names.pop()
        text = " {" + ", ".join(f"{k}={attribute(v)}" for k, v in sorted(attrs.items())) + "}" if attrs else ""
        ys = [f"%y{n}_{i}" for i in range(len(results))]
        self.lines.append(f"  {', '.join(ys)} = {self.op}({', '.join(names)}){text} : {', '.join(map(type_of, results))}")
        for y, want in zip(ys, results, strict=True):
            self.lines.append(f"  %want{y[1:]} = {constant(want.contiguous())}")
            self.pairs.append(f"{y}, %want{y[1:]}")

    def write(self, verdict=None):
        if not self.pairs:
            return
        name = re.sub(r"\W+", "_", self.label.replace("-", "m")).strip("_")
        verdict = verdict or f"tolerance {self.tolerance:.3g}"
        text = f"// {verdict}\ngraph @{name}() {{\n" + "\n".join(self.lines) + f"\n  return {', '.join(self.pairs)}\n}}\n"
        FILES.setdefault(self.op, []).append(text)


def check(op, label, calls, tolerance=0.0):
    """`calls`: (inputs, attrs, reference, like), where `like` has the type to write if the reference raises."""
    values = Module(op, f"{op} {label}")
    values.tolerance = tolerance
    why = left(values.label)
    for k, (inputs, attrs, reference, *like) in enumerate(calls):
        try:
            results = reference()
        except Exception:
            assert like, f"{values.label}: no type for a call that raises: {attrs}"
            failing = Module(op, f"{op} {label} raises {k}")
            failing.call(inputs, attrs, list(like[0]) if isinstance(like[0], (list, tuple)) else [like[0]])
            failing.write("raises")
            continue
        results = [results] if isinstance(results, torch.Tensor) else list(results)
        if why:
            alone = Module(op, f"{op} {label} {k}")
            alone.call(inputs, attrs, results)
            alone.write("left to eager")
        else:
            values.call(inputs, attrs, results)
    values.write()


# ---- values


def corners(k):
    dt = DTYPES[k]
    if k == "bool":
        v = [False, True]
    elif k in INTS:
        low, high = torch.iinfo(dt).min, torch.iinfo(dt).max
        v = [0, 1, 2, 3, 7, high - 1, high] + ([-1, -2, -3, low + 1, low] if low else [])
    elif k in FLOATS:
        v = [0.0, -0.0, 1.0, -1.0, 0.3333, -2.5, 3.0, INF, -INF, NAN, torch.finfo(dt).max, torch.finfo(dt).tiny / 4]
    else:
        big = torch.finfo(dt).max
        v = [0j, 1 + 2j, -1.5 - 0.3333j, complex(-0.0, 3.0), complex(INF, 1.0), complex(1.0, NAN), complex(-INF, INF), complex(big, -big)]
    return torch.tensor(v, dtype=dt)


def plain(k, shape, start=0):
    """Values on which no two eager loops differ: no zeros, NaN or infinities, all small."""
    n = math.prod(shape)
    v = torch.tensor([1, 2, 5, 3, 7, 4, 9, 6])[(torch.arange(n) * 3 + start) % 8]
    if k == "bool":
        v = (v + start) % 2
    elif k != "u8":
        v = torch.where(torch.arange(n) % 3 == 1, -v, v)
    t = v.to(DTYPES[k])
    if k in FLOATS + COMPLEX:
        t = t * 0.75
    if k in COMPLEX:
        t = t + (v.flip(0) * 0.5).to(t.dtype) * 1j
    return t.reshape(shape)


def same(a, b):
    """Elementwise: the same bits, or both NaN."""
    if a.is_complex():
        a, b = torch.view_as_real(a), torch.view_as_real(b)
        return same(a, b).all(-1)
    if not a.is_floating_point():
        return a == b
    return ((a == b) & (torch.signbit(a) == torch.signbit(b))) | (a.isnan() & b.isnan())


def steady(f, *xs):
    """The elements on which eager answers the same in a vector loop, in its tail, and alone."""
    whole = f(*xs)
    keep = torch.ones(whole.shape, dtype=torch.bool)
    for i in range(whole.numel()):
        keep[i] = same(whole[i], f(*(x[i] for x in xs))) & same(whole[i], f(*(torch.cat([x[i : i + 1]] * 37) for x in xs))[5])
    return [x[keep] for x in xs]


# ---- element - wise

PAIRS = [((), ()), ((1,), (3,)), ((2, 3), (3,)), ((2, 1), (1, 3)), ((0,), (1,)), ((2, 0, 3), (1, 3)), ((), (2, 3)), ((1, 1, 1), (3,))]


def binary(op, f, dtypes, tolerances=None):
    for k in dtypes:
        c = corners(k)
        x, y = (t.reshape(-1).clone() for t in torch.broadcast_tensors(c[:, None], c))
        divides = op in ("FloorDiv", "FloorMod") and k in INTS
        if divides:
            x, y = x[y != 0], y[y != 0]
            zero = torch.tensor([1, 0], dtype=DTYPES[k])
            check(op, f"{k} by 0", [([c[:2], zero], {}, lambda: f(c[:2], zero), c[:2])])
        x, y = steady(f, x, y)
        t = (tolerances or {}).get(k, 0.0)
        check(op, f"{k} corners", [([x, y], {}, lambda: f(x, y))], t)
        calls = []
        for a, b in PAIRS:
            x, y = plain(k, a), plain(k, b, 3)
            calls.append(([x, y], {}, lambda x=x, y=y: f(x, y)))
        x, y = plain(k, (2,)), plain(k, (3,))
        calls.append(([x, y], {}, lambda x=x, y=y: f(x, y), f(y, y)))
        check(op, f"{k} shapes", calls, t)


def elementwise():
    binary("Add", torch.add, ALL)
    binary("Sub", torch.sub, REALS + COMPLEX)
    binary("Mul", torch.mul, ALL)
    binary("FloorDiv", torch.floor_divide, REALS)
    binary("FloorMod", torch.remainder, REALS)
    binary("Greater", torch.gt, (*REALS, "bool"))
    binary("Maximum", torch.maximum, (*REALS, "bool"))
    for op, f in (("Sub", torch.sub), ("FloorDiv", torch.floor_divide), ("FloorMod", torch.remainder), ("Greater", torch.gt)):
        for k in REALS:
            x = corners(k)
            calls = []
            for s in (2, -1, 0.3333, -1.7, 3.0):
                if s == -1 and k == "u8":
                    continue  # outside the range of u8
                (v,) = steady(lambda x, s=s: f(x, s), x)
                calls.append(([v], {"scalar": s}, lambda v=v, s=s: f(v, s)))
            check(op, f"{k} scalar", calls)
    for k in COMPLEX:
        for s in (2, -1.5, 1 + 2j):
            for op, f in (("Adds", torch.add), ("Muls", torch.mul)):
                (v,) = steady(lambda x, s=s, f=f: f(x, s), corners(k))
                check(op, f"{k} {s}", [([v], {"value": s}, lambda v=v, s=s, f=f: f(v, s))])
    for k in ALL:
        (x,) = steady(torch.rsqrt, corners(k))
        calls = [([x], {}, lambda: torch.rsqrt(x))]
        calls += [([v], {}, lambda v=v: torch.rsqrt(v)) for v in (plain(k, s) for s in SHAPES)]
        check("Rsqrt", k, calls, {"c64": 3e-7, "c128": 1e-15}.get(k, 0.0))
    for k, to in itertools.product(ALL, ALL):
        x = corners(k)
        if k in FLOATS:
            edges = [
                127,
                128,
                255,
                256,
                300,
                -129,
                32767.6,
                32768,
                65535,
                1e5,
                2147483520,
                2147483648,
                -2147483904,
                9.2e18,
                9.3e18,
                -9.3e18,
                1e30,
            ]
            x = torch.cat([x, torch.tensor(edges).to(x.dtype), torch.tensor([0.5, 1.5, 2049, 1.0009765]).to(x.dtype)])
        elif k in INTS:
            edges = [
                v for v in (2049, 2051, 65519, 65520, 16777217, 33554435, 2**53 + 1, 2**62 + 2**38 + 1) if v <= torch.iinfo(x.dtype).max
            ]
            x = torch.cat([x, torch.tensor(edges, dtype=x.dtype)])
        calls = []
        (x,) = steady(lambda x, to=to: x.to(DTYPES[to]), x)
        for v in (x, *(plain(k, s) for s in SHAPES)):
            calls.append(([v], {"dst_type": DTYPES[to]}, lambda v=v, to=to: v.to(DTYPES[to])))
        check("Cast", f"{k} {to}", calls)


# ---- the same data under another shape or order


def moves():
    i64 = lambda *v: torch.tensor(v, dtype=torch.int64)
    i32 = lambda *v: torch.tensor(v, dtype=torch.int32)

    def each(op, label, forms):
        """`forms(x)` gives (operands after x, attrs, function of x, like)."""
        for k in ALL:
            x = corners(k)
            x = torch.cat([x, x, x])[:6].reshape(2, 1, 3)
            check(op, f"{label} {k}", [([x, *ops], a, lambda f=f, x=x: f(x), *like) for ops, a, f, *like in forms(x)][:4])
        for shape in [*SHAPES, (1, 1), (3, 1, 2)]:
            x = plain("f32", shape)
            check(op, f"{label} of {list(shape)}", [([x, *ops], a, lambda f=f, x=x: f(x), *like) for ops, a, f, *like in forms(x)])

    def unsqueeze(x, axes):
        r = x.dim() + len(axes)
        if any(not -r <= a < r for a in axes) or len({a % r for a in axes}) != len(axes):
            raise IndexError
        for a in sorted(a % r for a in axes):
            x = x.unsqueeze(a)
        return x

    def lists(x):
        r = x.dim()
        return [(0,), (-1,), (r,), (-r - 1,), (r + 1,), (-r - 2,), (0, 2), (-1, 0), (0, 0), (0, -r - 2)]

    like = lambda x, axes: x.reshape((1,) * len(axes) + tuple(x.shape))
    each("ExpandDims", "", lambda x: [((w(a),), {}, lambda t, a=a: t.unsqueeze(a), like(x, (0,)))
                                      for w in (i64, i32) for (a,) in lists(x)[:6]])  # fmt: skip
    each("Unsqueeze", "", lambda x: [((), {"axes": a}, lambda t, a=a: unsqueeze(t, a), like(x, a)) for a in lists(x)])
    each("UnsqueezeV2", "", lambda x: [((), {"axis": a}, lambda t, a=a: unsqueeze(t, a), like(x, a)) for a in lists(x)])
    each("UnsqueezeV3", "", lambda x: [((i32(*a),), {}, lambda t, a=a: unsqueeze(t, a), like(x, a)) for a in lists(x)])

    def axes(x):
        r = x.dim()
        return [(0,), (-1,), (1,), (r,), (-r - 1,), (0, 1), (0, 0)]

    squeeze = lambda t, a: torch.squeeze(t, a)
    attr = lambda x: [((), {"axis": a}, lambda t, a=a: squeeze(t, a), x) for a in axes(x)] + [((), {}, torch.squeeze)]
    each("Squeeze", "", attr)
    each("SqueezeV2", "", attr)
    each("SqueezeV3", "", lambda x: [((i64(*a),), {}, lambda t, a=a: squeeze(t, a), x) for a in (*axes(x), ())] + [((), {}, torch.squeeze)])
    each("FlattenV2", "", lambda x: [((), {"axis": a, "end_axis": b}, lambda t, a=a, b=b: torch.flatten(t, a, b), x)
                                     for a, b in ((0, -1), (1, -1), (-1, -1), (0, 0), (1, 0), (-2, 1), (2, 5), (-4, 0))])  # fmt: skip
    each("Reshape", "", lambda x: [((w(*s),), {}, lambda t, s=s: t.reshape(s), x)
                                   for w in (i64, i32) for s in ((-1,), (3, 2), (1, -1), (6,), (2, -1, 3), (-1, -1), (0, -1), (7,), (-2, 3), (0, 5), ())])  # fmt: skip

    def perms(x):
        r = x.dim()
        return [
            tuple(range(r))[::-1],
            (*range(1, r), 0)[:r],
            tuple(range(-r, 0)),
            (0,) * r if r > 1 else (1,),
            (*range(r), 0),
            (0, r)[: max(r, 1)],
        ]

    each("Transpose", "", lambda x: [((w(*p),), {}, lambda t, p=p: t.permute(p), x) for w in (i64, i32) for p in perms(x)])
    each("TransposeD", "", lambda x: [((), {"perm": p}, lambda t, p=p: t.permute(p), x) for p in perms(x)])
    each("Permute", "", lambda x: [((), {"order": p}, lambda t, p=p: t.permute(p), x) for p in perms(x)])
    each("Transpose", "dims", lambda x: [((), {"dim0": a, "dim1": b}, lambda t, a=a, b=b: t.transpose(a, b), x)
                                         for a, b in ((0, 0), (0, -1), (1, 2), (-3, 0), (0, 3))])  # fmt: skip
    each("Transpose", "t", lambda x: [((), {}, torch.t, x)])
    for op in ("Identity", "ReFormat"):
        each(op, "", lambda x: [((), {}, lambda t: t)])
    each(
        "PlaceholderWithDefault", "", lambda x: [((), {"shape": list(x.shape)}, lambda t: t), ((), {"shape": [-1] * x.dim()}, lambda t: t)]
    )

    def letters(src, dst):
        return lambda t: t.permute([src.index(c) for c in dst])

    for group, shape in ((("NCHW", "NHWC", "HWCN"), (2, 1, 3, 2)), (("NCDHW", "NDHWC"), (1, 2, 3, 1, 2))):
        for k in ALL:
            x = corners(k)
            x = torch.cat([x] * 12)[:12].reshape(shape)
            check("TransData", f"{k} {len(shape)}", [([x], {"src_format": s, "dst_format": d}, lambda x=x, s=s, d=d: letters(s, d)(x))
                                                   for s in group for d in group])  # fmt: skip

    # numpy's slices; the masks of StridedSlice are numpy's None, ... and plain index.
    def slices(x):
        out = []
        for shape in ((0,) * x.dim(), tuple(max(0, n - 1) for n in x.shape)):
            for size in ((-1,) * x.dim(), tuple(min(1, n - o) for n, o in zip(x.shape, shape, strict=True)), tuple(x.shape)):
                out.append((shape, size))
        return out

    def cut(t, offsets, sizes):
        ends = [n if s == -1 else o + s for n, o, s in zip(t.shape, offsets, sizes, strict=True)]
        if any(o < 0 or o > e or e > n for n, o, e in zip(t.shape, offsets, ends, strict=True)):
            raise IndexError
        return t[tuple(slice(o, e) for o, e in zip(offsets, ends, strict=True))]

    bad = lambda x: [
        ((9,) * x.dim(), (1,) * x.dim()),
        ((-1,) * x.dim(), (1,) * x.dim()),
        ((2**62,) * x.dim(), (2**62,) * x.dim()),
        ((0,), (1, 1, 1, 1)),
    ]
    each("Slice", "", lambda x: [((w(*o), w(*s)), {}, lambda t, o=o, s=s: cut(t, o, s), x)
                                 for w in (i64, i32) for o, s in (slices(x) + (bad(x) if x.dim() and w is i64 else []))])  # fmt: skip
    each("SliceD", "", lambda x: [((), {"offsets": o, "size": s}, lambda t, o=o, s=s: cut(t, o, s), x)
                                  for o, s in slices(x) + (bad(x) if x.dim() else [])])  # fmt: skip

    def numpy_slice(index):
        return lambda t: torch.from_numpy(numpy.array(t.numpy()[index], order="C", copy=True))

    big = 2**63 - 1
    x = torch.arange(60.0).reshape(3, 4, 5)
    S = slice
    cases = [
        ((0, 1, 2), (3, 4, 5), (1, 2, 2), {}, (S(0, 3), S(1, 4, 2), S(2, 5, 2))),
        ((-1, -1), (-9, -3), (-1, -1), {}, (S(-1, -9, -1), S(-1, -3, -1))),
        ((9, -9), (-9, 9), (-2, 3), {}, (S(9, -9, -2), S(-9, 9, 3))),
        ((1,), (1,), (1,), {}, (S(1, 1),)),
        ((big, -big - 1), (-big - 1, big), (-1, 1), {}, (S(big, -big - 1, -1), S(-big - 1, big))),
        ((0, 0), (big, big), (big, -big - 1), {}, (S(0, big, big), S(0, big, -big - 1))),
        ((2, 3), (0, 0), (-1, -1), {"begin_mask": 2, "end_mask": 1}, (S(2, None, -1), S(None, 0, -1))),
        ((0, 1), (0, 3), (1, 1), {"ellipsis_mask": 1}, (..., S(1, 3))),
        ((1, 0, -1), (2, 0, 0), (1, 1, 1), {"ellipsis_mask": 2, "shrink_axis_mask": 5}, (1, ..., -1)),
        ((0, 0, 1), (0, 0, 2), (1, 1, 1), {"new_axis_mask": 5, "ellipsis_mask": 2}, (None, ..., None)),
        ((0, -2, 4), (1, 9, 0), (1, 1, -3), {"shrink_axis_mask": 1}, (0, S(-2, 9), S(4, 0, -3))),
        ((), (), (), {}, ()),
    ]
    check("StridedSlice", "numpy", [([x, w(*b), w(*e), w(*s)], m, lambda i=i: numpy_slice(i)(x), x)
                                    for w in (i64,) for b, e, s, m, i in cases])  # fmt: skip
    check("StridedSlice", "i32 bounds", [([x, i32(*b), i32(*e), i32(*s)], m, lambda i=i: numpy_slice(i)(x), x)
                                         for b, e, s, m, i in cases if big not in b + e])  # fmt: skip
    bad_cases = [((0,), (1,), (0,), {}), ((3,), (4,), (1,), {"shrink_axis_mask": 1}), ((-4,), (0,), (1,), {"shrink_axis_mask": 1}),
                 ((0,) * 4, (1,) * 4, (1,) * 4, {}), ((0, 0), (1,), (1,), {}), ((0, 0), (1, 1), (1, 1), {"ellipsis_mask": 3}),
                 ((0,) * 70, (1,) * 70, (1,) * 70, {"new_axis_mask": -1})]  # fmt: skip
    check("StridedSlice", "refused", [([x, i64(*b), i64(*e), i64(*s)], m, lambda: 1 / 0, x[:1]) for b, e, s, m in bad_cases])
    for k in ALL:
        v = corners(k)
        v = torch.cat([v] * 6)[:6].reshape(2, 3)
        check("StridedSlice", k, [([v, i64(0, 0), i64(2, 3), i64(1, 2)], {}, lambda v=v: v[:, ::2])])
    for shape in ((0,), (2, 0, 3)):
        v = torch.zeros(shape)
        check("StridedSlice", f"of {list(shape)}", [([v, i64(0), i64(9), i64(1)], {}, lambda v=v: v), ([v, i64(-1), i64(-9), i64(-1)], {}, lambda v=v: v.flip(0)),
              ([v[:0], i64(0), i64(1), i64(1)], {"shrink_axis_mask": 1}, lambda: 1 / 0, v[:0].sum(0))])  # fmt: skip

    # Joining and cutting.
    for k in ALL:
        c = corners(k)
        a, b = torch.cat([c] * 6)[:6].reshape(2, 3), torch.cat([c.flip(0)] * 6)[:6].reshape(2, 3)
        check("ConcatV2", k, [([a, b], {"concat_dim": d}, lambda d=d: torch.cat([a, b], d), a) for d in (0, 1, -1, -2, 2, -3)]
              + [([a, a[:0], b], {"concat_dim": 0}, lambda: torch.cat([a, a[:0], b])), ([a[0, :0], a], {"concat_dim": 1}, lambda: torch.cat([a[0, :0], a], 1)),
                 ([a[0, 0]], {}, lambda: torch.cat([a[0, 0]]), a[0, :1]), ([a, a[:, :2]], {"concat_dim": 0}, lambda: torch.cat([a, a[:, :2]]), a)])  # fmt: skip
        check("Pack", k, [([a, b], {"axis": d, "N": 2}, lambda d=d: torch.stack([a, b], d), a.reshape(1, 2, 3).repeat(2, 1, 1)) for d in (0, 1, 2, -1, -3, 3, -4)]
              + [([a[0, 0], b[0, 0]], {}, lambda: torch.stack([a[0, 0], b[0, 0]])), ([a[:0]], {"axis": 1}, lambda: torch.stack([a[:0]], 1)),
                 ([a, a[0]], {}, lambda: torch.stack([a, a[0]]), a)])  # fmt: skip
        e = a.reshape(2, 1, 3)
        check("Unpack", k, [([e], {"axis": d, "num": e.shape[d] if -4 < d < 3 else 1}, lambda d=d: torch.unbind(e, d), [e[0]]) for d in (0, 1, 2, -1, -2, -3, 3, -4)]
              + [([a[0, 0]], {}, lambda: torch.unbind(a[0, 0]), [a[0, 0]])])  # fmt: skip
    for a, b in itertools.combinations(ALL, 2):
        x, y = corners(a)[:6], corners(b)[-6:]
        x, y = x.repeat(3)[:6].reshape(2, 3), y.repeat(3)[:6].reshape(2, 3)
        check(
            "ConcatV2",
            f"{a} with {b}",
            [([x, y], {"concat_dim": 1}, lambda x=x, y=y: torch.cat([x, y], 1)), ([y, x], {}, lambda x=x, y=y: torch.cat([y, x]))],
        )
        check(
            "Pack",
            f"{a} with {b}",
            [
                ([x, y], {}, lambda x=x, y=y: torch.stack([x, y])),
                ([x[0, 0], y[0, 0]], {}, lambda x=x, y=y: torch.stack([x[0, 0], y[0, 0]])),
            ],
        )

    # Rows by index.
    for k in ALL:
        v = corners(k)
        v = torch.cat([v] * 12)[:12].reshape(2, 3, 2)
        calls = []
        for w, (axis, index) in itertools.product((i64, i32), ((0, (1, 0, 1)), (1, (2,)), (-1, (0, 0)), (1, ()), (-3, (1,)))):
            calls.append(([v, w(*index), w(axis)], {}, lambda w=w, a=axis, i=index: torch.index_select(v, a, w(*i))))
        index = i64(0, 2, 1, 1).reshape(2, 2)
        calls.append(([v, index, i64(1)], {}, lambda index=index: torch.index_select(v, 1, index.reshape(-1)).reshape(2, 2, 2, 2)))
        calls.append(([v, i64(1).reshape(()), i64(1)], {}, lambda: v[:, 1]))
        calls.append(([v, i64(-1, -3), i64(1)], {"negative_index_support": True}, lambda: v[:, [-1, -3]]))
        calls += [
            ([v, i64(i), i64(a)], {}, lambda i=i, a=a: torch.index_select(v, a, i64(i)), v[:, :1])
            for a, i in ((1, 3), (1, -1), (3, 0), (-4, 0), (1, 2**62))
        ]
        calls.append(([v, i64(-4), i64(1)], {"negative_index_support": True}, lambda: 1 / 0, v[:, :1]))
        check("GatherV2", k, calls)
    table = torch.arange(6.0).reshape(3, 2)
    check("GatherV2", "embedding", [([table, i], {}, lambda i=i: torch.nn.functional.embedding(i, table), table[:1])
                                    for i in (i64(2, 0), i32(1).reshape(()), i64(), i64(0, 1).reshape(1, 2, 1), i64(3), i64(-1))])  # fmt: skip
    empty = torch.zeros(0, 3)
    check("GatherV2", "empty", [([empty, i64(), i64(0)], {}, lambda: empty), ([empty, i64(0), i64(0)], {}, lambda: torch.index_select(empty, 0, i64(0)), torch.zeros(1, 3)),
                                ([empty, i64(2, 0), i64(1)], {}, lambda: torch.zeros(0, 2))])  # fmt: skip

    # DynamicStitch: result row indices[k][j] is x[k][j], the last one if several name it; rows that nobody names are zero.
    def stitch(indices, xs):
        rows = max([int(i.max()) + 1 for i in indices if i.numel()], default=0)
        inner = xs[0].shape[indices[0].dim() :]
        out = torch.zeros((rows, *inner), dtype=xs[0].dtype)
        for i, v in zip(indices, xs, strict=True):
            if tuple(v.shape) != (*i.shape, *inner) or (i.numel() and int(i.min()) < 0):
                raise ValueError
            for j, row in zip(i.reshape(-1).tolist(), v.reshape(-1, *inner), strict=True):
                out[j] = row
        return out

    def stitched(indices, xs):
        rows = max([int(i.max()) + 1 for i in indices if i.numel()], default=0)
        like = torch.zeros((max(rows, 1), *xs[0].shape[indices[0].dim() :]), dtype=xs[0].dtype)
        return ([*indices, *xs], {"N": len(xs)}, lambda: stitch(indices, xs), like)

    for k in ALL:
        c = torch.cat([corners(k)] * 4)
        check("DynamicStitch", k, [stitched([i64(4, 0), i64(2, 0)], [c[:2], c[2:4]]), stitched([i32(1).reshape(()), i32(0, 2).reshape(1, 2)], [c[:3], c[:6].reshape(1, 2, 3)]),
                                   stitched([i64()], [c[:0]]), stitched([i64(), i64(1)], [c[:0], c[:1]])])  # fmt: skip
    f = torch.arange(6.0)
    check("DynamicStitch", "refused", [stitched([i64(-1)], [f[:1]]), stitched([i64(0, 1, 2)], [f[:2]]), stitched([i64(0), i64(1)], [f[:1], f.reshape(1, 6)]),
                                       stitched([i64(0, 1)], [f[:1]]), ([i64(0)], {"N": 1}, lambda: 1 / 0, f[:1]),
                                       ([i64(0), f[:1]], {"N": -2**63}, lambda: 1 / 0, f[:1]), ([i64(2**63 - 1), f[:1]], {"N": 1}, lambda: 1 / 0, f[:1])])  # fmt: skip


# ---- shapes as values


def shapes():
    i64 = lambda *v: torch.tensor(v, dtype=torch.int64)
    i32 = lambda *v: torch.tensor(v, dtype=torch.int32)
    for code, w in ((3, i32), (9, i64)):
        for k in ("f32", "bool", "c64"):
            xs = [plain(k, s) for s in SHAPES]
            check("Shape", f"{k} {code}", [([x], {"dtype": code}, lambda x=x: w(*x.shape)) for x in xs])
            check("Size", f"{k} {code}", [([x], {"dtype": code}, lambda x=x: w(x.numel()).reshape(())) for x in xs])
            check("ShapeN", f"{k} {code}", [(xs, {"dtype": code}, lambda: [w(*x.shape) for x in xs])])
            pairs = [[3, 1], [2, 0], [5, 1], [5, 2], [3, 1]]
            check("GatherShapes", f"{k} {code}", [(xs, {"axes": pairs, "dtype": code}, lambda: w(*(xs[i].shape[a] for i, a in pairs))),
                                                 (xs, {"axes": [[3, 2]], "dtype": code}, lambda: w(xs[3].shape[2]), w(0)),
                                                 (xs, {"axes": [[6, 0]], "dtype": code}, lambda: w(xs[6].shape[0]), w(0))])  # fmt: skip
    for op, of in (("Shape", (1,)), ("Size", ())):
        check(op, "dtype", [([plain("f32", (3,))], {"dtype": 0}, lambda: 1 / 0, torch.zeros(of, dtype=torch.int32))])
    check("Rank", "", [([plain("f32", s)], {}, lambda s=s: i32(len(s)).reshape(())) for s in SHAPES])

    pairs = [((), ()), ((3,), ()), ((1,), (3,)), ((2, 3), (3,)), ((2, 1), (1, 3)), ((0,), (1,)), ((2, 0, 3), (1, 3)), ((1, 1), (1, 1)), ((2, 3), (2, 3)),
             ((1, 3), (1, 1)), ((2, 0, 3, 1, 5), (3, 1, 5)), ((2,), (3,)), ((0,), (2,))]  # fmt: skip

    def axes_to_sum(a, b):
        torch.broadcast_shapes(a, b)
        rank = max(len(a), len(b))
        pad = lambda s: (1,) * (rank - len(s)) + tuple(s)
        return [[d for d, n in enumerate(pad(s)) if n == 1 and a != b] for s in (a, b)]

    for w in (i64, i32):
        label = NAMES[w().dtype]
        check(
            "BroadcastArgs",
            label,
            [([w(*p), w(*q)], {}, lambda p=p, q=q: w(*torch.broadcast_shapes(p, q)), w(0)) for a, b in pairs for p, q in ((a, b), (b, a))],
        )
        check("BroadcastGradientArgs", label, [([w(*p), w(*q)], {}, lambda p=p, q=q: [w(*v) for v in axes_to_sum(p, q)], [w(), w()])
                                               for a, b in pairs for p, q in ((a, b), (b, a))])  # fmt: skip

        def offsets(dim, parts, w=w):
            rank = len(parts[0])
            if not -rank <= dim < rank or any(p[d] != parts[0][d] for p in parts for d in range(rank) if d != dim % rank):
                raise ValueError
            return [w(*(sum(p[dim] for p in parts[:i]) if d == dim % rank else 0 for d in range(rank))) for i in range(len(parts))]

        parts = [((2, 3), (2, 5), (2, 0)), ((4,),), ((1, 2, 3), (1, 2, 3)), ((2, 3), (4, 3))]
        check("ConcatOffset", label, [([w(d), *(w(*p) for p in ps)], {"N": len(ps)}, lambda d=d, ps=ps: offsets(d, ps), [w(*p) for p in ps])
                                      for ps in parts for d in (0, 1, -1, 2, -3)])  # fmt: skip
        check(
            "ConcatOffset",
            f"{label} dim",
            [([w(), w(1, 2)], {"N": 1}, lambda: 1 / 0, [w(0, 0)]), ([w(0, 1), w(1, 2)], {"N": 1}, lambda: 1 / 0, [w(0, 0)])],
        )

    for k in ALL:
        calls = []
        for shape in SHAPES:
            for v in (0, 1, -1, 7, 300, 2.5, -0.0, 1e10, INF, NAN, True, 2**40, 1 + 2j):
                call = (
                    [i64(*shape)],
                    {"fill_value": v, "dtype": DTYPES[k]},
                    lambda s=shape, v=v: torch.full(s, v, dtype=DTYPES[k]),
                    torch.zeros(shape, dtype=DTYPES[k]),
                )
                if shape in ((), (3,)) or v in (1, 300):
                    calls.append(call)
        calls += [([i32(2, 2)], {"fill_value": v}, lambda v=v: torch.full((2, 2), v)) for v in (2, 2.5, True, 1j)]
        calls += [([i64(*s), c], {}, lambda s=s, c=c: c.expand(s)) for s in SHAPES for c in corners(k)[-2:]]
        calls += [([i64(-1)], {"fill_value": 1}, lambda: torch.full((-1,), 1), torch.zeros(1, dtype=torch.int64))]
        check("Fill", k, calls)
        values = (0, -1, 300, 2.5, 1e10, NAN, True, 2**40, 1 + 2j)
        one, two, none = (torch.zeros(n, dtype=DTYPES[k]) for n in (1, 2, 0))
        check(
            "FillLike", k, [([x], {"fill_value": v}, lambda x=x, v=v: torch.full_like(x, v), x) for x in (one, two, none) for v in values]
        )
        check(
            "ScalarTensor",
            k,
            [([], {"value": v, "dtype": DTYPES[k]}, lambda v=v, k=k: torch.scalar_tensor(v, dtype=DTYPES[k]), one[0]) for v in values],
        )

    # Content is unspecified: what is checked is the type, through the dtype and shape that Shape and Size read.
    for k in ALL:
        for shape in SHAPES:
            check("Empty", f"{k} {list(shape)}", [([i64(*shape)], {"dtype": DTYPES[k]}, lambda s=shape, k=k: torch.zeros(s, dtype=DTYPES[k])),
                                                 ([i32(*shape), plain(k, (2,))], {}, lambda s=shape, k=k: torch.zeros(s, dtype=DTYPES[k]))])  # fmt: skip

    bounds = [
        (0, 5, 1),
        (2, 7, 2),
        (5, 0, -2),
        (0, 0, 1),
        (-3, 3, 3),
        (0, 1, 0),
        (0, 5, -1),
        (5, 0, 1),
        (2**62, 2**62 + 3, 1),
        (0, 2**63 - 1, 2**62),
    ]
    far = (-(2**63), 2**63 - 1, 2**62)
    floats = [
        (0.0, 1.0, 0.25),
        (0, 1, 0.3),
        (1.5, -1.5, -0.7),
        (0.0, 0.0, 1.0),
        (0.0, INF, 1.0),
        (0.0, NAN, 1.0),
        (-1e10, 1e10, 1e10),
        (1, 2.0, 0.1 + 0.05),
    ]
    for k in REALS:
        dt = DTYPES[k]
        like = torch.zeros(1, dtype=dt)
        check("Range", k, [([], {"from": a, "to": b, "step": s, "dtype": dt}, lambda a=a, b=b, s=s: torch.arange(a, b, s, dtype=dt), like)
                           for a, b, s in bounds])  # fmt: skip
        check(
            "Range",
            f"{k} far",
            [([], {"from": far[0], "to": far[1], "step": far[2], "dtype": dt}, lambda dt=dt: torch.arange(*far, dtype=dt))],
        )
        check("Range", f"{k} of floats", [([], {"from": a, "to": b, "step": s, "dtype": dt}, lambda a=a, b=b, s=s: torch.arange(a, b, s, dtype=dt), like)
                                          for a, b, s in floats])  # fmt: skip
        check("Range", f"{k} long", [([], {"from": a, "to": b, "step": s, "dtype": dt}, lambda a=a, b=b, s=s: torch.arange(a, b, s, dtype=dt))
                                     for a, b, s in ((0, 100, 3), (0.0, 3.3, 0.1))[: 2 if k in FLOATS else 1]], {"f32": 3e-7, "f64": 4e-15, "f16": 1e-3, "bf16": 8e-3}.get(k, 0.0))  # fmt: skip
    check("Range", "operands i64 far", [([i64(v) for v in far], {}, lambda: torch.arange(*far))])
    check(
        "Range",
        "defaults",
        [
            ([], {"to": 4}, lambda: torch.arange(4)),
            ([], {"to": 2.5}, lambda: torch.arange(2.5)),
            ([], {"from": 1, "to": 4.5}, lambda: torch.arange(1, 4.5)),
        ],
    )
    for w in (i64, i32):
        check("Range", f"operands {NAMES[w().dtype]}", [([w(a), w(b), w(s)], {}, lambda a=a, b=b, s=s: torch.arange(a, b, s), torch.zeros(1, dtype=torch.int64))
                                                        for a, b, s in bounds if w is i64 or abs(b) < 2**31 > abs(s)])  # fmt: skip
        check(
            "Range",
            f"operands {NAMES[w().dtype]} size",
            [([w(), w(3), w(1)], {}, lambda: 1 / 0, i64(0)), ([w(0), w(3, 4), w(1)], {}, lambda: 1 / 0, i64(0))],
        )


def reductions():
    i64 = lambda *v: torch.tensor(v, dtype=torch.int64)
    tolerances = {"f32": 3e-7, "f64": 1e-15, "f16": 1e-3, "bf16": 8e-3, "c64": 1e-6, "c128": 2e-15}
    for k in ALL:
        t = tolerances.get(k, 0.0)
        calls = []
        for shape in [*SHAPES, (2, 3, 2)]:
            x = plain(k, shape)
            calls.append(([x], {}, lambda x=x: torch.prod(x)))
            for d in range(-max(len(shape), 1), max(len(shape), 1)):
                calls += [
                    ([x, i64(d)], {"keep_dims": keep}, lambda x=x, d=d, keep=keep: torch.prod(x, d, keepdim=keep)) for keep in (False, True)
                ]
            for d in (len(shape) + 1, -len(shape) - 2):
                calls.append(([x, i64(d)], {}, lambda x=x, d=d: torch.prod(x, d), torch.prod(x)))
        x = plain(k, (2, 3, 2))
        calls.append(([x, i64(0, 2)], {}, lambda x=x: torch.prod(torch.prod(x, 2), 0)))
        calls.append(([x, i64(0, 0)], {}, lambda: 1 / 0, x[0]))
        # (a product over two axes is rounded once, two products twice)
        check("ReduceProd", k, calls, 2 * t)
        c = corners(k)
        check("ReduceProd", f"{k} corners", [([v], {}, lambda v=v: torch.prod(v)) for v in (c[:2], c[-2:], c[-4:-2], c[2:4], c)], t)
        for to in ALL:
            if k in COMPLEX and to not in COMPLEX:
                continue
            v = torch.cat([corners(k), torch.tensor([300, 70000.7, -1e10]).to(DTYPES[k])]) if k in FLOATS else corners(k)
            v = v[:, None]  # one factor each: the conversion alone
            (v,) = steady(lambda v, to=to: v.to(DTYPES[to]).reshape(len(v), -1)[:, 0] if v.dim() > 1 else v.to(DTYPES[to])[0], v)
            check(
                "ReduceProd",
                f"{k} as {to}",
                [([v, i64(1)], {"dtype": DTYPES[to]}, lambda v=v, to=to: torch.prod(v, 1, dtype=DTYPES[to]))],
                tolerances.get(to, 0.0),
            )


def snake(name):
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


elementwise()
moves()
shapes()
reductions()
HERE.mkdir(exist_ok=True)
for op, modules in FILES.items():
    if not sys.argv[1:] or op in sys.argv[1:]:
        (HERE / f"{snake(op)}.txt").write_text("\n".join(modules))
print(len(FILES), "operators,", sum(len(m) for ms in FILES.values() for m in ms) // 1024, "KiB")
