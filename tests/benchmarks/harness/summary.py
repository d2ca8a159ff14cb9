"""What the rows of one model say: times, ratios, the A/A pair, first calls and memory. Pure functions of rows."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, NamedTuple

from harness.backends import CONTROL, CONTROL_AGAIN, MODES, Mode
from harness.stats import Ratio, difference, geomean, speedup

Row = dict[str, Any]
# A result this far from eager's, as a share of its largest value, is another computation: its time is no peer's.
WRONG = {"f32": 1e-3, "bf16": 1e-1}


class Pair(NamedTuple):
    ours: str
    peer: str
    ratio: Ratio


def failure(rows: list[Row], backend: str, dtype: str = "f32") -> str | None:
    """Why the backend has no time, or none that counts."""
    for row in rows:
        if row["backend"] != backend:
            continue
        if "fail" in row:
            return str(row["fail"])
        if not row["error"] <= WRONG[dtype]:  # NaN too
            return f"wrong result: off by {row['error']:.1g} of the largest value"
    return None


def series(rows: list[Row], backend: str) -> dict[int, float]:
    """Round -> median time; empty where the backend failed."""
    return {} if failure(rows, backend, _dtype(rows)) else {row["round"]: row["us"] for row in rows if row["backend"] == backend}


def _dtype(rows: list[Row]) -> str:
    return str(rows[0].get("dtype", "f32")) if rows else "f32"


def names(rows: list[Row]) -> list[str]:
    """The backends, in the order of their first row."""
    return list(dict.fromkeys(row["backend"] for row in rows if row["backend"] != CONTROL_AGAIN))


def least_us(rows: list[Row], backend: str) -> float:
    """The least of the rounds' medians; eager's second runs count as eager's."""
    times = list(series(rows, backend).values())
    if backend == CONTROL:
        times += series(rows, CONTROL_AGAIN).values()
    return min(times, default=math.nan)


def ratios(rows: list[Row], modes: tuple[Mode, ...] = MODES) -> list[Pair]:
    """Ours against every peer of the same mode that has times."""
    pairs = []
    for mode in modes:
        ours = series(rows, mode.ours)
        for peer in mode.peers:
            theirs = series(rows, peer)
            if ours and theirs:
                pairs.append(Pair(mode.ours, peer, speedup(ours, theirs)))
    return pairs


def against_best(rows: list[Row]) -> list[Pair]:
    """For each of ours, the least ratio: the one against the best peer."""
    pairs = ratios(rows)
    least = (min((p for p in pairs if p.ours == mode.ours), key=lambda p: p.ratio.value, default=None) for mode in MODES)
    return [pair for pair in least if pair]


def controls(rows: list[Row]) -> Ratio:
    """Eager against eager, computed as every other ratio is."""
    return speedup(series(rows, CONTROL_AGAIN), series(rows, CONTROL))


def difference_of_controls(rows: list[Row]) -> float:
    """How far the A/A ratio is from 1; infinite where it is unknown."""
    value = controls(rows).value
    return math.inf if math.isnan(value) else difference(value, 1.0)


def first_call(rows: list[Row], backend: str) -> tuple[float, float]:
    """Seconds to the first result: in the first process, where no cache of the run is warm, and the least of all."""
    times = [row["first_call_s"] for row in rows if row["backend"] == backend and "first_call_s" in row]
    return (times[0], min(times)) if times else (math.nan, math.nan)


def peak_rss(rows: list[Row], backend: str) -> float:
    """MiB: the median process's, for allocators are not quite deterministic."""
    sizes = sorted(row["peak_rss_mib"] for row in rows if row["backend"] == backend and "peak_rss_mib" in row)
    return sizes[len(sizes) // 2] if sizes else math.nan


class Overall(NamedTuple):
    geomean: float
    worst: float
    worst_name: str  # "model: ours against peer"
    pairs: int


def overall(models: dict[str, list[Row]]) -> Overall:
    """Over the ratios against the best peer, of all models and modes."""
    pairs = [(p.ratio.value, f"{model}: {p.ours} against {p.peer}") for model, rows in models.items() for p in against_best(rows)]
    worst = min(pairs, default=(math.nan, "nothing"))
    return Overall(geomean(value for value, _ in pairs), *worst, len(pairs))


def by_peer(models: dict[str, list[Row]]) -> dict[tuple[str, str], list[float]]:
    """(ours, peer) -> the ratios of all models."""
    found: dict[tuple[str, str], list[float]] = {}
    for rows in models.values():
        for p in ratios(rows):
            found.setdefault((p.ours, p.peer), []).append(p.ratio.value)
    return found


def noise(models: Iterable[list[Row]]) -> tuple[float, float]:
    """The largest A/A difference, and the largest spread of a ratio against the best peer."""
    rows = list(models)
    spreads = [p.ratio.spread for r in rows for p in against_best(r) if not math.isnan(p.ratio.spread)]
    return max((difference_of_controls(r) for r in rows), default=math.nan), max(spreads, default=math.nan)


def our_failures(models: dict[str, list[Row]]) -> list[str]:
    """What of ours was asked for and has no time."""
    ours = {mode.ours for mode in MODES}
    failed = ((model, b, failure(rows, b, _dtype(rows))) for model, rows in models.items() for b in names(rows) if b in ours)
    return [f"{model}: {backend}: {why}" for model, backend, why in failed if why]
