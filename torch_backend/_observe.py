"""What a user can observe of a call, and how two observations differ.

`observe` runs one call and records its results; `differences` compares two records, eager's first. Used by
`torch_ge.testing`; kept apart from it because this half knows nothing of torch.compile.
"""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch.utils._pytree import tree_flatten

# The largest difference that counts as equal, as a share of the tensor's largest finite value. Integers, booleans
# and everything not listed must be exactly equal.
DEFAULT_TOLERANCE: Mapping[torch.dtype, float] = {
    torch.float64: 1e-10,
    torch.complex128: 1e-10,
    torch.float32: 2e-5,
    torch.complex64: 2e-5,
    torch.float16: 4e-3,
    torch.bfloat16: 1.6e-2,
}

Tolerance = float | Mapping[torch.dtype, float] | None

# Raised by Dynamo while it traces with fake tensors, before any backend sees the graph: the type is not ours to keep.
_FRONT_END_ERRORS = frozenset(
    {"TorchRuntimeError", "UserError", "Unsupported", "ObservedIndexError", "ObservedTypeError", "ConstraintViolationError"}
)


@dataclasses.dataclass
class Rules:
    """What to compare and how exactly."""

    tolerance: Tolerance = None
    strides: bool = True
    aliasing: bool = True
    random_state: bool = True
    zero_sign: bool = False
    messages: bool = True

    def share(self, dtype: torch.dtype) -> float:
        """The allowed difference for `dtype` as a share of the largest value."""
        if not (dtype.is_floating_point or dtype.is_complex):
            return 0.0
        if isinstance(self.tolerance, (int, float)):
            return float(self.tolerance)
        table = {**DEFAULT_TOLERANCE, **(self.tolerance or {})}
        return table.get(dtype, 0.0)


@dataclasses.dataclass
class Observation:
    """Everything one call did."""

    output: Any = None
    error: BaseException | None = None
    arguments: Any = None
    aliases: list[tuple[str, str | None, str | None, int | None]] = dataclasses.field(default_factory=list)
    random_state: torch.Tensor | None = None
    gradients: dict[str, torch.Tensor | None] | None = None


def tensors_of(tree: Any) -> list[torch.Tensor]:
    return [leaf for leaf in tree_flatten(tree)[0] if isinstance(leaf, torch.Tensor)]


def state_of(fn: Any) -> dict[str, torch.Tensor]:
    """Parameters and buffers by name; tied ones under each of their names."""
    if not isinstance(fn, torch.nn.Module):
        return {}
    parameters = fn.named_parameters(remove_duplicate=False)
    return {**dict(parameters), **dict(fn.named_buffers(remove_duplicate=False))}


def _storage_key(t: torch.Tensor) -> int | None:
    """Tells storages apart without asking for their address, which would wake copy-on-write tensors."""
    if t.layout != torch.strided or t.numel() == 0:
        return None
    try:
        return int(t.untyped_storage()._cdata)
    except (NotImplementedError, RuntimeError):
        return None


def alias_pattern(
    named: Sequence[tuple[str, torch.Tensor]], outputs: Sequence[torch.Tensor]
) -> list[tuple[str, str | None, str | None, int | None]]:
    """For each output: the first earlier tensor whose storage it shares, the one it is identical to, and its offset."""
    seen = [(name, t, _storage_key(t)) for name, t in named]
    pattern = []
    for i, t in enumerate(outputs):
        key, name = _storage_key(t), f"output {i}"
        shared = next((n for n, _, k in seen if key is not None and k == key), None)
        same = next((n for n, u, _ in seen if u is t), None)
        pattern.append((name, shared, same, t.storage_offset() if shared else None))
        seen.append((name, t, key))
    return pattern


def _backward(output: Any, leaves: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor | None] | None:
    """Gradients of a weighted sum of the outputs. The weights differ by place, so a gradient sent to the wrong place shows."""
    total: torch.Tensor | None = None
    for t in tensors_of(output):
        if not t.requires_grad:
            continue
        real = torch.view_as_real(t.resolve_conj()) if t.is_complex() else t
        weight = torch.linspace(0.5, 1.5, max(real.numel(), 1), dtype=real.dtype)[: real.numel()].reshape(real.shape)
        term = (real * weight).sum()
        total = term if total is None else total + term
    if total is None:
        return None
    total.backward()  # type: ignore[no-untyped-call]
    return {name: None if p.grad is None else p.grad.detach().clone() for name, p in leaves.items()}


def observe(
    run: Callable[[], Any],
    arguments: Any,
    owner: Any = None,
    *,
    train: bool = False,
    seed: int = 0,
    context: Callable[[], contextlib.AbstractContextManager[Any]] = contextlib.nullcontext,
) -> Observation:
    """Runs `run()` and records what it did to its results, `arguments`, the module `owner` and the generator."""
    torch.manual_seed(seed)
    seen = Observation(arguments=arguments)
    state = state_of(owner)
    named = [(f"argument {i}", t) for i, t in enumerate(tensors_of(arguments))] + [(k, t) for k, t in state.items()]
    try:
        with context():
            seen.output = run()
        seen.aliases = alias_pattern(named, tensors_of(seen.output))
        seen.random_state = torch.get_rng_state().clone()
        if train:
            leaves = {name: t for name, t in named if t.is_leaf and t.requires_grad}
            seen.gradients = _backward(seen.output, leaves)
            for t in leaves.values():
                t.grad = None
    except Exception as error:  # what eager raises is part of its answer
        seen.error = error
    return seen


def _values(a: torch.Tensor, b: torch.Tensor, rules: Rules) -> list[str]:
    """Value differences of two strided tensors of one dtype and shape."""
    x, y = (t.detach().resolve_conj().resolve_neg() for t in (a, b))
    if x.numel() == 0:
        return []
    if x.dtype.is_complex:
        x, y = torch.view_as_real(x.contiguous()), torch.view_as_real(y.contiguous())
    if not x.dtype.is_floating_point:
        wrong = x != y
        return [f"values differ in {int(wrong.sum())} of {x.numel()} places, first {_first(wrong, x, y)}"] if bool(wrong.any()) else []
    x, y = x.double(), y.double()
    if not torch.equal(x.isnan(), y.isnan()):
        return [f"NaN in {int(x.isnan().sum())} against {int(y.isnan().sum())} places, first {_first(x.isnan() != y.isnan(), x, y)}"]
    infinite = x.isinf() | y.isinf()
    wrong = infinite & (x != y)
    if bool(wrong.any()):
        return [f"infinity differs in {int(wrong.sum())} places, first {_first(wrong, x, y)}"]
    finite = ~(infinite | x.isnan())
    x0, y0 = torch.where(finite, x, 0.0), torch.where(finite, y, 0.0)
    largest, gap = float(x0.abs().max()), (x0 - y0).abs()
    found, allowed = float(gap.max()), rules.share(a.dtype) * float(x0.abs().max())
    out = []
    if found > allowed:
        out.append(
            f"values differ by up to {found:.3g} (allowed {allowed:.3g}; largest value {largest:.3g}) "
            f"in {int((gap > allowed).sum())} of {x.numel()} places, worst {_first(gap == gap.max(), x, y)}"
        )
    if rules.zero_sign:
        wrong = (x == 0) & (y == 0) & (x.signbit() != y.signbit())
        if bool(wrong.any()):
            out.append(f"sign of zero differs in {int(wrong.sum())} places, first {_first(wrong, x, y)}")
    return out


def _first(mask: torch.Tensor, x: torch.Tensor, y: torch.Tensor) -> str:
    place = tuple(mask.nonzero()[0].tolist())
    return f"at {place}: {x[place].item()!r} against {y[place].item()!r}"


def _visible_strides(t: torch.Tensor) -> list[int]:
    """Strides of the dims that have more than one element; the others cannot be observed through values."""
    return [stride for stride, size in zip(t.stride(), t.shape, strict=True) if size > 1]


def tensor_differences(a: torch.Tensor, b: torch.Tensor, rules: Rules) -> list[str]:
    """How tensor `b` differs from eager's `a`, each line without the place."""
    parameters = isinstance(a, torch.nn.Parameter) or isinstance(b, torch.nn.Parameter)
    if type(a) is not type(b) and not parameters:
        return [f"class {type(a).__name__} against {type(b).__name__}"]
    for what in ("dtype", "shape", "layout", "device"):
        if getattr(a, what) != getattr(b, what):
            return [f"{what} {getattr(a, what)} against {getattr(b, what)}"]
    out = [f"{what} {getattr(a, what)} against {getattr(b, what)}" for what in ("requires_grad",) if getattr(a, what) != getattr(b, what)]
    if a.is_inference() != b.is_inference():
        out.append(f"is_inference {a.is_inference()} against {b.is_inference()}")
    if a.layout != torch.strided:
        return out + _values(a.to_dense(), b.to_dense(), rules)
    if a.device.type == "meta":
        return out
    if a.is_quantized or b.is_quantized:
        return out + _values(a.dequantize(), b.dequantize(), rules)
    if rules.strides and a.numel() > 0 and _visible_strides(a) != _visible_strides(b):
        out.append(f"strides {a.stride()} against {b.stride()}")
    return out + _values(a, b, rules)


def tree_differences(a: Any, b: Any, place: str, rules: Rules) -> list[str]:
    """How the nested value `b` differs from eager's `a`."""
    (leaves_a, spec_a), (leaves_b, spec_b) = tree_flatten(a), tree_flatten(b)
    if spec_a != spec_b:
        return [f"{place}: structure {spec_a} against {spec_b}"]
    out = []
    for i, (x, y) in enumerate(zip(leaves_a, leaves_b, strict=True)):
        here = f"{place} {i}"
        if isinstance(x, torch.Tensor) and isinstance(y, torch.Tensor):
            out += [f"{here}: {line}" for line in tensor_differences(x, y, rules)]
        elif type(x) is not type(y):
            out.append(f"{here}: {type(x).__name__} against {type(y).__name__}")
        elif isinstance(x, float):
            if not (x == y or (x != x and y != y) or abs(x - y) <= 1e-6 * max(1.0, abs(x))):
                out.append(f"{here}: {x!r} against {y!r}")
        elif x is not y and x != y:
            out.append(f"{here}: {x!r} against {y!r}")
    return out


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [""])[0]


def error_differences(eager: BaseException | None, other: BaseException | None, rules: Rules) -> list[str]:
    """Differences of what was raised; empty where both raised the same."""
    if eager is None and other is None:
        return []
    if other is None:
        return [f"eager raises {type(eager).__name__}: {_first_line(eager)}; the compiled call raises nothing"]  # type: ignore[arg-type]
    other = getattr(other, "inner_exception", None) or other
    if eager is None:
        return [f"the compiled call raises {type(other).__name__}: {_first_line(other)}; eager raises nothing"]
    if type(other).__name__ in _FRONT_END_ERRORS:
        return []
    if not isinstance(other, type(eager)):
        return [f"raises {type(eager).__name__} against {type(other).__name__}: {_first_line(eager)} / {_first_line(other)}"]
    if rules.messages and _first_line(eager) != _first_line(other):
        return [f"{type(eager).__name__} says {_first_line(eager)!r} against {_first_line(other)!r}"]
    return []


def differences(eager: Observation, other: Observation, rules: Rules) -> list[str]:
    """Everything in which two calls differ, one line each; empty if they cannot be told apart."""
    out = error_differences(eager.error, other.error, rules)
    if eager.error is not None or other.error is not None:
        return out
    out += tree_differences(eager.output, other.output, "output", rules)
    out += tree_differences(eager.arguments, other.arguments, "argument after the call", rules)
    if rules.aliasing and len(eager.aliases) == len(other.aliases):
        for x, y in zip(eager.aliases, other.aliases, strict=True):
            if x != y:
                text = [f"shares storage with {a[1]} (same object: {a[2]}, offset {a[3]})" for a in (x, y)]
                out.append(f"{x[0]}: {text[0]} against {text[1]}")
    states = (eager.random_state, other.random_state) if rules.random_state else (None, None)
    if states[0] is not None and states[1] is not None and not torch.equal(states[0], states[1]):
        out.append("generator state after the call differs")
    if (eager.gradients is None) != (other.gradients is None):
        out.append(f"gradients only on the {'compiled' if eager.gradients is None else 'eager'} side")
    elif eager.gradients is not None and other.gradients is not None:
        loose = dataclasses.replace(rules, strides=False)
        for name, gradient in eager.gradients.items():
            out += tree_differences(gradient, other.gradients.get(name), f"gradient of {name}", loose)
    return out


def state_differences(eager: Any, other: Any, rules: Rules) -> list[str]:
    """Differences of the parameters and buffers of two modules."""
    a, b = state_of(eager), state_of(other)
    if a.keys() != b.keys():
        return [f"parameters and buffers: names differ: {sorted(a.keys() ^ b.keys())}"]
    return [f"{name} after the call: {line}" for name in a for line in tensor_differences(a[name], b[name], rules)]
