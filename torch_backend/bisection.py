"""`bisect(model, *args)`: which change by a compiler pass, or which engine, makes a compiled model differ from eager."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
import torch._dynamo

from .report import Change, GraphReport, collecting

# Engines that may be left out; the others are always there.
_OPTIONAL_ENGINES = ("jit", "simd", "onednn")


@dataclasses.dataclass(frozen=True)
class Bisection:
    """What `bisect` found. `verdict` is one of "right", "change", "engine", "other"; print it for the whole story.

    `number` counts changes from 1 in each graph of the model; `changes` holds that change of every graph that has so many
    (one graph: one change), each with its graph's name. `differences` are those of the first wrong bound.
    """

    verdict: str
    number: int = 0
    total: int = 0
    changes: Sequence[tuple[str, Change]] = ()
    engines: Sequence[str] = ()
    differences: Sequence[str] = ()

    def __str__(self) -> str:
        if self.verdict == "right":
            return f"nothing is wrong: the compiled model does what eager does, after {self.total} changes by passes"
        if self.verdict == "change":
            names = "; or ".join(f"{change} (graph {graph})" for graph, change in self.changes)
            head = f"change {self.number} of {self.total} is wrong: {names}"
        elif self.verdict == "engine":
            head = f"no pass is guilty: without any change it is wrong too, but not without engine {', '.join(self.engines)}"
        else:
            head = "neither passes nor engines are guilty: it is wrong with all passes off and every node run by ATen"
        return "\n".join([head, *(f"  {line}" for line in self.differences)])


def bisect(
    model: Any,
    *args: Any,
    options: Mapping[str, Any] | None = None,
    check: Callable[[Any], bool] | None = None,
    kwargs: Mapping[str, Any] | None = None,
) -> Bisection:
    """Compiles `model` again and again with a growing bound on the changes of passes, and finds the first wrong one.

    Wrong means that `torch_ge.testing` sees a difference from eager for `args` and `kwargs`; or, where `check` is given, that
    `check(compiled)` returns False or raises, for a copy of `model` compiled by torch.compile. `options` are those of the
    compile in question. Neither `model` nor the arguments are changed.
    """
    from .dynamo import backend as ge_backend
    from .testing import Case, case_differences

    base = dict(options or {})
    base.pop("ge.debug.maxChanges", None)

    def trial(**more: Any) -> tuple[list[str], list[GraphReport]]:
        """Differences, and the reports of the graphs compiled on the way."""
        settings = {**base, **{f"ge.{key.replace('_', '.')}": value for key, value in more.items()}}

        # A backend of its own: what an earlier trial or the user compiled with equal options is not taken again.
        def backend(gm: torch.fx.GraphModule, inputs: Sequence[Any]) -> Any:
            return ge_backend(gm, inputs, options=settings)

        with collecting() as found:
            if check is None:

                def make() -> tuple[Any, Sequence[Any]]:
                    return copy.deepcopy(model), [copy.deepcopy((args, dict(kwargs or {})))] * 2

                case = Case(make, lambda f, a: f(*a[0], **a[1]))
                grad = torch.is_grad_enabled()
                case.context = lambda: torch.set_grad_enabled(grad)
                try:
                    wrong = case_differences(case, backend)
                except Exception as error:  # a compile that fails is a difference as well
                    wrong = [f"{type(error).__name__}: {error}"]
            else:
                wrong = _judge(check, torch.compile(copy.deepcopy(model), backend=backend))
        return wrong, [GraphReport.from_dict(data) for data in found]

    # Every trial is one more compile of the same code.
    with torch._dynamo.config.patch(recompile_limit=1 << 20, accumulated_recompile_limit=1 << 20):
        wrong, graphs = trial()
        total = max((len(graph.changes) for graph in graphs), default=0)
        if not wrong:
            return Bisection("right", total=total)
        none, _ = trial(debug_maxChanges=0)
        if none:
            return _engines(trial, base, none)
        good, bad = 0, total or _bound(trial)
        while bad - good > 1:
            middle = (good + bad) // 2
            some, _ = trial(debug_maxChanges=middle)
            if some:
                bad, wrong = middle, some
            else:
                good = middle
        _, graphs = trial(debug_maxChanges=bad)
    changes = tuple((graph.name, graph.changes[bad - 1]) for graph in graphs if len(graph.changes) >= bad)
    return Bisection("change", bad, max(total, bad), tuple(dict.fromkeys(changes)), (), wrong)


def _judge(check: Callable[[Any], bool], compiled: Any) -> list[str]:
    try:
        return [] if check(compiled) else ["check returned False"]
    except Exception as error:
        return [f"check raised {type(error).__name__}: {error}"]


def _bound(trial: Callable[..., tuple[list[str], list[GraphReport]]]) -> int:
    """A bound at which it is wrong, for a compile that failed and so has no report."""
    bound = 1
    while not trial(debug_maxChanges=bound)[0]:
        bound *= 2
    return bound


def _engines(trial: Callable[..., tuple[list[str], list[GraphReport]]], base: Mapping[str, Any], wrong: list[str]) -> Bisection:
    """No pass is needed for the mistake: which engine is?"""
    given = base.get("ge.exec.engines") or _OPTIONAL_ENGINES
    names = [name for name in (given.split(",") if isinstance(given, str) else given) if name != "aten"]
    if trial(debug_maxChanges=0, exec_engines="aten")[0]:
        return Bisection("other", differences=wrong)
    guilty = [name for name in names if trial(debug_maxChanges=0, exec_engines=f"{name},aten")[0]]
    return Bisection("engine", engines=guilty or names, differences=wrong)
