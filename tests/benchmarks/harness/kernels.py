"""Google Benchmark's JSON of the kernel benchmarks: the least time of each kernel, groups, and the last run beside it."""

from __future__ import annotations

import math
from typing import Any

from harness.report import table
from harness.stats import difference, geomean

Run = dict[str, Any]


def peak_flags(peaks: dict[str, Any]) -> list[str]:
    """How kernel-bench is told the machine's peaks."""
    read = ",".join(f"{size}:{rate:.6g}" for size, rate in peaks["read"].items())
    return [f"--peak_flops={peaks['flops']['f32']:.6g}", f"--read_bandwidth={read}"]


def best(benchmarks: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Kernel -> its fastest repetition; `spread` is how far the second fastest is away. Failed kernels have `fail` instead."""
    repetitions: dict[str, list[dict[str, Any]]] = {}
    for row in benchmarks:
        if row.get("run_type", "iteration") == "iteration":
            repetitions.setdefault(row["run_name"].removesuffix("/real_time"), []).append(row)
    found: dict[str, dict[str, Any]] = {}
    for name, rows in sorted(repetitions.items()):
        failed = next((row["error_message"] for row in rows if row.get("error_occurred")), None)
        if failed is not None:
            found[name] = {"fail": failed}
            continue
        rows.sort(key=lambda row: row["real_time"])
        times = [row["real_time"] for row in rows]
        fields = {"gflops": rows[0]["FLOP/s"] / 1e9, "gbytes": rows[0]["B/s"] / 1e9, "of_limit": rows[0].get("of_limit", math.nan)}
        spread = difference(times[0], times[1]) if len(times) > 1 else math.nan
        found[name] = {"us": times[0], "engine": rows[0].get("label", ""), "spread": spread, **fields}
    return found


def group(name: str) -> str:
    """ "conv/resnet50/64x56x56/.../nhwc" -> "conv/resnet50/nhwc": kernels whose shares of the limit are averaged."""
    parts = name.split("/")
    return "/".join([*parts[:2], *(p for p in parts[3:] if p in ("depthwise", "nchw", "nhwc"))])


def shares(run: Run) -> dict[str, list[float]]:
    """Group -> the shares of the limit of its kernels."""
    found: dict[str, list[float]] = {}
    for name, row in run["kernels"].items():
        if "fail" not in row:
            found.setdefault(group(name), []).append(row["of_limit"])
    return found


def lines(run: Run) -> list[str]:
    text = []
    for name, row in run["kernels"].items():
        if "fail" in row:
            text.append(f"{name}: {row['fail']}")
            continue
        rates = f"{row['gflops']:8.1f} GFLOP/s {row['gbytes']:7.1f} GB/s {row['of_limit']:5.0%} of the limit"
        text.append(f"{name:64} {row['us']:10.1f} us {rates}  {row['engine']}")
    means = (f"  {name}: geometric mean {geomean(v):.0%}, worst {min(v):.0%}, {len(v)} kernels" for name, v in shares(run).items())
    return [*text, "shares of the limit:", *means, *busy(run)]


def busy(run: Run) -> list[str]:
    """A remark where a kernel is faster than its limit: nothing is, so the peaks are too low."""
    over = [name for name, row in run["kernels"].items() if row.get("of_limit", 0.0) > 1.05]
    return [f"{len(over)} kernels are faster than their limits: the machine was busy when its peaks were measured"] if over else []


def change_lines(new: Run, old: Run | None) -> list[str]:
    """Kernels whose time changed by more than both runs' spreads and 5 %."""
    if old is None:
        return ["no earlier run with these settings on this CPU"]
    both = [(name, old["kernels"].get(name, {"fail": ""}), row) for name, row in new["kernels"].items()]
    both = [(name, before, after) for name, before, after in both if "fail" not in before and "fail" not in after]
    changed = [(n, b, a) for n, b, a in both if difference(b["us"], a["us"]) > max(0.05, b["spread"] + a["spread"])]
    text = [f"since commit {old['commit'] or 'unknown'}: {len(changed)} of {len(both)} kernels changed"]
    return text + [f"  {name}: {before['us']:.1f} → {after['us']:.1f} us" for name, before, after in changed]


def markdown(run: Run) -> list[str]:
    """A row a group."""
    rows = [[name, str(len(v)), f"{geomean(v):.0%}", f"{min(v):.0%}"] for name, v in shares(run).items()]
    return table(["kernels", "shapes", "of the limit, geometric mean", "worst"], rows)
