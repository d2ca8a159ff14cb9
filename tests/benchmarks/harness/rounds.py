"""Alternating rounds of one model: every backend once a round, in one order and then in the other, until the figures can be trusted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from harness import summary
from harness.backends import CONTROL, CONTROL_AGAIN, MODES, Mode

Row = dict[str, Any]
Measure = Callable[[str], Row]  # backend -> one process's row


@dataclass(frozen=True)
class Plan:
    rounds: int = 3
    most_rounds: int = 9
    quiet: float = 0.03  # eager against eager may differ by this
    repeats: float = 0.05  # otherwise each ratio must repeat within this
    modes: tuple[Mode, ...] = MODES  # which ratios


def order(backends: list[str], number: int) -> list[str]:
    """Round `number`: eager first and last, so that the A/A pair spans what happens in between; odd rounds run backwards."""
    inner = [b for b in backends if b not in (CONTROL, CONTROL_AGAIN)]
    forward = [CONTROL, *inner, CONTROL_AGAIN]
    return forward if number % 2 == 0 else forward[::-1]


def unsettled(rows: list[Row], plan: Plan) -> list[str]:
    """The backends that need another round: none where eager equals eager, else those of ratios that do not repeat."""
    if summary.difference_of_controls(rows) <= plan.quiet:
        return []
    wanted: list[str] = []
    for mode in plan.modes:
        ratios = summary.ratios(rows, (mode,))
        if any(not r.ratio.within(plan.repeats) for r in ratios):
            wanted += [mode.ours, *(r.peer for r in ratios)]
    return list(dict.fromkeys(wanted))


def run(backends: list[str], measure: Measure, plan: Plan) -> list[Row]:
    """All rows of one model, each with its `backend` and `round`. A backend that fails is not asked again."""
    rows: list[Row] = []
    failed: set[str] = set()
    pending = list(backends)
    for number in range(max(plan.rounds, plan.most_rounds)):
        if number >= plan.rounds:
            pending = unsettled(rows, plan)
            if not pending:
                break
        for backend in order(pending, number):
            if backend not in failed:
                row = {"backend": backend, "round": number, **measure(backend)}
                rows.append(row)
                if "fail" in row:
                    failed.add(backend)
    return rows
