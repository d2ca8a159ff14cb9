"""What rows say: which ratios, which failures, which of them is the worst."""

import math

import pytest
from harness import summary
from sample_rows import ROWS, rows_of


def test_ratios_are_of_like_calling_modes():
    pairs = {(p.ours, p.peer): p.ratio.value for p in summary.ratios(ROWS)}
    assert pairs == {("ge", "eager"): 2.0, ("ge", "inductor"): 0.8, ("ge_direct", "openvino"): 2.0}


def test_best_peer_and_overall():
    assert [(p.ours, p.peer) for p in summary.against_best(ROWS)] == [("ge", "inductor"), ("ge_direct", "openvino")]
    total = summary.overall({"a": ROWS, "b": ROWS})
    assert total.geomean == pytest.approx((0.8 * 2.0) ** 0.5)
    assert (total.worst, total.worst_name, total.pairs) == (0.8, "a: ge against inductor", 4)
    assert summary.by_peer({"a": ROWS, "b": ROWS})["ge", "eager"] == [2.0, 2.0]


def test_least_time_of_eager_has_both_controls():
    assert summary.least_us(ROWS, "eager") == 99.0
    assert summary.names(ROWS) == ["eager", "ge", "inductor", "ge_direct", "openvino"]


def test_controls():
    assert summary.controls(ROWS).value == 100.0 / 99.0
    assert summary.difference_of_controls(ROWS) == pytest.approx(1 / 99)
    assert math.isinf(summary.difference_of_controls(rows_of(ge=[1.0])))


def test_a_peer_with_a_wrong_result_is_none():
    rows = rows_of(ge=[50.0, 50.0], inductor=[(1.0, 0.5), (1.0, 0.5)], eager=[100.0, (100.0, math.nan)])
    assert summary.ratios(rows) == []
    assert "wrong result" in summary.failure(rows, "inductor")
    assert "wrong result" in summary.failure(rows, "eager")
    assert summary.failure(rows, "ge") is None


def test_failures_of_ours_are_told_and_those_of_peers_are_not():
    rows = rows_of(ge=["boom"], inductor=["bang"], eager=[1.0])
    assert summary.our_failures({"m": rows}) == ["m: ge: boom"]
    assert math.isnan(summary.overall({"m": rows}).geomean)


def test_first_call_and_memory():
    assert summary.first_call(ROWS, "ge") == (5.0, pytest.approx(4.1))
    assert summary.peak_rss(rows_of(ge=[1.0, 9.0, 3.0]), "ge") == 3
    assert math.isnan(summary.peak_rss(ROWS, "aot_eager"))
