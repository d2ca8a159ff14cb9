"""Unit tests of compiled models: does `torch.compile(backend="ge")` do all that eager does, and what ran where?

    from torch_ge.testing import assert_same_as_eager, assert_nodes

    def test_block():
        assert_same_as_eager(Block().eval(), torch.randn(2, 8))
        assert_nodes(Block().eval(), torch.randn(2, 8), contains=["MatMulV2"], absent=["AtenCall"])

Every function takes `backend=`, so the same test can be run against "aot_eager" to see whether a difference comes
from PyTorch's own front end. See docs/testing.md.
"""

from __future__ import annotations

import contextlib
import copy
import dataclasses
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import torch

from ._observe import (
    DEFAULT_TOLERANCE,
    Observation,
    Rules,
    Tolerance,
    differences,
    observe,
    state_differences,
    tensor_differences,
    tree_differences,
)

__all__ = [
    "DEFAULT_TOLERANCE",
    "Case",
    "Observation",
    "Rules",
    "assert_case",
    "assert_nodes",
    "assert_same_as_eager",
    "case_differences",
    "differences",
    "observe",
    "tensor_differences",
    "tree_differences",
]


@dataclasses.dataclass
class Case:
    """A program and the calls to make of it, for programs that a single `model(*args)` does not describe.

    `make()` builds the program anew and returns `(function or module, [arguments of each call])`; it is called once for
    each side, under the same seed, so that nothing is shared between them.
    """

    make: Callable[[], tuple[Any, Sequence[Any]]]
    call: Callable[[Any, Any], Any] = lambda f, args: f(*args)
    context: Callable[[], contextlib.AbstractContextManager[Any]] = contextlib.nullcontext
    train: bool = False
    dynamic: bool | None = None
    rules: Rules = dataclasses.field(default_factory=Rules)


def _compile(model: Any, backend: Any, dynamic: bool | None, options: Mapping[str, Any] | None) -> Any:
    settings: dict[str, Any] = {"backend": backend}
    if dynamic is not None:
        settings["dynamic"] = dynamic
    if options:
        settings["options"] = dict(options)
    return torch.compile(model, **settings)


def case_differences(case: Case, backend: Any = "ge", options: Mapping[str, Any] | None = None) -> list[str]:
    """Runs `case` in eager and compiled; returns every observable difference, one line each."""
    torch.manual_seed(0)
    eager, eager_calls = case.make()
    torch.manual_seed(0)
    original, compiled_calls = case.make()
    compiled = _compile(original, backend, case.dynamic, options)
    out = []
    for i, (a, b) in enumerate(zip(eager_calls, compiled_calls, strict=True)):
        settings: dict[str, Any] = {"train": case.train, "seed": 4321 + i, "context": case.context}
        expected = observe(lambda a=a: case.call(eager, a), a, eager, **settings)  # type: ignore[misc]
        found = observe(lambda b=b: case.call(compiled, b), b, original, **settings)  # type: ignore[misc]
        where = f"call {i}: " if len(eager_calls) > 1 else ""
        out += [where + line for line in differences(expected, found, case.rules)]
    return out + state_differences(eager, original, case.rules)


def assert_case(case: Case, backend: Any = "ge", options: Mapping[str, Any] | None = None) -> None:
    """Fails with the list of all differences between eager and the compiled program."""
    found = case_differences(case, backend, options)
    if found:
        name = getattr(case.make, "__name__", "the program")
        raise AssertionError(f"{name} under backend {backend!r} differs from eager:\n  " + "\n  ".join(found))


def assert_same_as_eager(
    model: Any,
    *args: Any,
    kwargs: Mapping[str, Any] | None = None,
    train: bool = False,
    dynamic: bool | None = None,
    tol: Tolerance = None,
    backend: Any = "ge",
    options: Mapping[str, Any] | None = None,
    calls: int = 2,
) -> None:
    """Asserts that the compiled `model` does all that eager does with `args`.

    Compared are values, dtypes, shapes, strides, NaN places, which results share storage with each other, with arguments
    or with parameters, the arguments, parameters and buffers after the call, the random generator's state, and the type
    and message of an exception; with `train=True` also the gradients of a weighted sum of the outputs.

    Neither `model` nor `args` is changed: both sides work on copies (a plain function cannot be copied; what it closes
    over is shared). `tol` is the allowed difference as a share of the output's largest value, for all dtypes or as a
    dict by dtype; the default is DEFAULT_TOLERANCE. The call is made `calls` times, since a compiled model may bind
    constants in its first call.
    """
    named = dict(kwargs or {})
    copies = [copy.deepcopy((model, (args, named))) for _ in range(2)]
    sides = iter(copies)

    def program() -> tuple[Any, Sequence[Any]]:
        fn, arguments = next(sides)
        return fn, [arguments] * calls

    program.__name__ = getattr(model, "__name__", type(model).__name__)
    case = Case(program, lambda f, a: f(*a[0], **a[1]), train=train, dynamic=dynamic, rules=Rules(tolerance=tol))
    if not train:
        case.context = _grad_as_now()
    assert_case(case, backend, options)


def _grad_as_now() -> Callable[[], contextlib.AbstractContextManager[Any]]:
    """Without train=True the caller's own grad mode holds, whatever the seeds and copies did."""
    enabled = torch.is_grad_enabled()
    return lambda: torch.set_grad_enabled(enabled)


def assert_nodes(
    model: Any,
    *args: Any,
    contains: Iterable[str] = (),
    absent: Iterable[str] = (),
    max_compute_nodes: int | None = None,
    options: Mapping[str, Any] | None = None,
) -> None:
    """Asserts which operators are left after optimisation, over all graphs of `model(*args)`.

    `contains` and `absent` are IR operator types (`MatMulV2`); `AtenCall` and `PyCall` stand for any
    fallback node of that kind; `max_compute_nodes` bounds the nodes that are
    not views, Data, Const or NetOutput. Always asks the ge backend: other backends have no such graphs.
    """
    from .report import explain

    report = explain(copy.deepcopy(model), *copy.deepcopy(args), options=options)
    types = {kind for graph in report.graphs for kind in graph.node_types}
    kinds = {kind.partition(":")[0] for graph in report.graphs for kind in graph.fallback_nodes}
    types |= {name for kind, name in (("aten", "AtenCall"), ("python", "PyCall")) if kind in kinds}
    missing, unwanted = sorted(set(contains) - types), sorted(set(absent) & types)
    count = sum(graph.compute_nodes for graph in report.graphs)
    problems = []
    if missing:
        problems.append(f"no node of type {', '.join(missing)}; found {', '.join(sorted(types))}")
    if unwanted:
        problems.append(f"nodes of type {', '.join(unwanted)} should be gone")
    if max_compute_nodes is not None and count > max_compute_nodes:
        problems.append(f"{count} compute nodes are left, at most {max_compute_nodes} expected")
    if problems:
        raise AssertionError("; ".join(problems) + f"\n{report}")


def run_threads(work: Callable[[int], Any], count: int) -> list[Any]:
    """Runs `work(0) … work(count - 1)` at once, each in a thread; returns the results, raises the first error."""
    results: list[Any] = [None] * count
    errors: list[BaseException] = []

    def body(i: int) -> None:
        try:
            results[i] = work(i)
        except BaseException as error:  # handed to the caller's thread
            errors.append(error)

    threads = [threading.Thread(target=body, args=(i,)) for i in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
    return results
