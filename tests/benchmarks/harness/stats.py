"""Statistics of alternating runs: ratios of the least medians, and how far a ratio repeats."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

Series = Mapping[int, float]  # round -> that round's median time


def geomean(values: Iterable[float]) -> float:
    """The geometric mean; NaN of nothing."""
    logs = [math.log(v) for v in values]
    return math.exp(sum(logs) / len(logs)) if logs else math.nan


def difference(a: float, b: float) -> float:
    """How far two positive numbers differ, as a share of the smaller: 0.05 is 5 %, whichever is larger."""
    return max(a, b) / min(a, b) - 1


@dataclass(frozen=True)
class Ratio:
    """`value` times as fast as the other; `spread` is the difference of the two halves of the rounds, NaN where there is one round."""

    value: float
    spread: float

    def within(self, limit: float) -> bool:
        """Whether the ratio repeated within `limit`; one round repeats nothing."""
        return self.spread <= limit


def speedup(ours: Series, other: Series) -> Ratio:
    """Least time of the other over ours, in the rounds that both have: noise adds time, it never takes any away.

    The halves are the even rounds and the odd ones, which run the backends in opposite orders: what the order does is in the
    spread.
    """
    common = sorted(set(ours) & set(other))
    if not common:
        return Ratio(math.nan, math.nan)

    def of(rounds: list[int]) -> float:
        return min(other[r] for r in rounds) / min(ours[r] for r in rounds)

    even, odd = [r for r in common if r % 2 == 0], [r for r in common if r % 2 == 1]
    return Ratio(of(common), difference(of(even), of(odd)) if even and odd else math.nan)
