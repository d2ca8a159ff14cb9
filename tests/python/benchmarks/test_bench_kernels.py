"""Reading Google Benchmark's JSON."""

import math

from harness import kernels


def repetition(name, us, **more):
    rates = {"FLOP/s": 1e8, "B/s": 1e9}
    return {"run_name": f"{name}/real_time", "run_type": "iteration", "real_time": us, "label": "onednn", **rates, **more}


def run_of(**times):
    same = {"engine": "onednn", "spread": 0.01, "gflops": 1.0, "gbytes": 1.0, "of_limit": 0.5}
    return {"commit": "abc", "kernels": {name: {"us": us, **same} for name, us in times.items()}}


def test_best_repetition():
    rows = [repetition("a", 12.0, of_limit=0.5), repetition("a", 10.0, of_limit=0.6), {"run_name": "a/real_time", "run_type": "aggregate"}]
    assert kernels.best(rows)["a"] == {"us": 10.0, "engine": "onednn", "spread": 12 / 10 - 1, "gflops": 0.1, "gbytes": 1.0, "of_limit": 0.6}
    assert math.isnan(kernels.best([repetition("a", 12.0)])["a"]["spread"])


def test_failed_kernel():
    rows = [{**repetition("a", 0.0), "error_occurred": True, "error_message": "no engine"}]
    assert kernels.best(rows) == {"a": {"fail": "no engine"}}
    run = {"commit": "", "kernels": kernels.best(rows)}
    assert kernels.lines(run)[0] == "a: no engine"
    assert kernels.change_lines(run, run) == ["since commit unknown: 0 of 0 kernels changed"]


def test_groups():
    assert kernels.group("conv/resnet50/64x56x56/64x3x3/stride1/nhwc") == "conv/resnet50/nhwc"
    assert kernels.group("conv/mobilenetv2/32x112x112/32x3x3/stride1/depthwise/nchw") == "conv/mobilenetv2/depthwise/nchw"
    assert kernels.group("gemv/decode/1x512x512") == "gemv/decode"


def test_changes_are_beyond_the_spreads():
    new, old = run_of(a=10.0, b=10.0, c=1.0), run_of(a=10.4, b=12.0)
    assert kernels.change_lines(new, old) == ["since commit abc: 1 of 2 kernels changed", "  b: 12.0 → 10.0 us"]
    assert kernels.change_lines(new, None) == ["no earlier run with these settings on this CPU"]


def test_tables():
    run = run_of(**{"gemv/decode/1x2x3": 1.0, "gemv/decode/1x2x4": 1.0})
    assert kernels.markdown(run)[2] == "| gemv/decode | 2 | 50% | 50% |"
    assert "gemv/decode: geometric mean 50%, worst 50%, 2 kernels" in kernels.lines(run)[-1]
    run["kernels"]["gemv/decode/1x2x4"]["of_limit"] = 1.2
    assert kernels.lines(run)[-1].startswith("1 kernels are faster than their limits")


def test_flags():
    peaks = {"flops": {"f32": 1.5e11}, "read": {"1048576": 9e10, "16777216": 4e10}}
    assert kernels.peak_flags(peaks) == ["--peak_flops=1.5e+11", "--read_bandwidth=1048576:9e+10,16777216:4e+10"]
