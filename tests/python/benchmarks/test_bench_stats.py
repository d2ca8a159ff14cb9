"""Means and ratios of alternating runs."""

import math

import pytest
from harness import stats


def test_geomean():
    assert stats.geomean([2.0, 8.0]) == pytest.approx(4.0)
    assert math.isnan(stats.geomean([]))


def test_difference_is_the_same_both_ways():
    assert stats.difference(1.0, 1.25) == stats.difference(1.25, 1.0) == 0.25


def test_speedup_is_of_the_least_times_and_compares_the_halves():
    ours, other = {0: 10.0, 1: 12.0, 2: 11.0}, {0: 30.0, 1: 24.0, 2: 20.0}
    ratio = stats.speedup(ours, other)
    assert ratio.value == 2.0  # 20 / 10
    assert ratio.spread == pytest.approx(0.0)  # even 20 / 10, odd 24 / 12
    assert stats.speedup(ours, {**other, 1: 48.0}).spread == pytest.approx(1.0)


def test_only_rounds_of_both_sides_count():
    """More rounds would give one side more chances of a quiet moment."""
    assert stats.speedup({0: 10.0, 1: 10.0}, {0: 20.0, 1: 20.0, 2: 1.0}).value == 2.0


def test_one_round_repeats_nothing():
    ratio = stats.speedup({0: 1.0}, {0: 3.0})
    assert ratio.value == 3.0
    assert not ratio.within(10.0)


def test_nothing_in_common():
    assert math.isnan(stats.speedup({0: 1.0}, {1: 1.0}).value)
