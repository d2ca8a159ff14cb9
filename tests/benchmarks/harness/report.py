"""A run as text for a terminal, and as Markdown tables for docs/benchmarks.md."""

from __future__ import annotations

import math
import time
from typing import Any

from harness import history, summary, work
from harness.backends import CONTROL, MODES, REFERENCE
from harness.stats import geomean

Run = dict[str, Any]
LABELS = {"inductor_freeze": "inductor + freezing", "ge_direct": "ge, no Dynamo", "onnxruntime": "ONNX Runtime", "openvino": "OpenVINO"}


def _us(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:,.0f}" if value >= 100 else f"{value:.1f}"


def _percent(value: float) -> str:
    return "–" if math.isnan(value) or math.isinf(value) else f"{value * 100:.1f} %"


def _number(value: float, digits: int) -> str:
    return "–" if math.isnan(value) else f"{value:.{digits}f}"


def machine(run: Run) -> str:
    m = run["machine"]
    return f"{m['cpu']}, {m['cores']} cores, {' '.join(m['flags'])}; torch {run['torch']}, commit {run['commit'] or 'unknown'}"


def peaks(run: Run) -> str:
    p = run["peaks"]
    flops = ", ".join(f"{name} {rate / 1e9:.0f}" for name, rate in p["flops"].items())
    read = ", ".join(f"{int(size) >> 20} MiB {rate / 1e9:.0f}" for size, rate in p["read"].items())
    return f"peaks: GFLOP/s {flops}; GB/s copy {p['copy'] / 1e9:.0f}, read {read}"


def head(run: Run) -> str:
    """What is printed before the first measurement."""
    return f"{machine(run)}\n{peaks(run)}\nload before the run: {run['load']:.2f}"


def limit(run: Run, model: str) -> work.Limit | None:
    """None where the work of the model could not be counted."""
    counted = run["models"][model]["work"]
    if "fail" in counted:
        return None
    return work.limit(work.Work(**counted), run["peaks"]["flops"][run["settings"]["dtype"]], run["peaks"]["read"])


def model_lines(run: Run, model: str) -> list[str]:
    """One model: times, ratios with their spreads, the noise, first calls, memory, failures."""
    rows = run["models"][model]["rows"]
    names = summary.names(rows)
    times = " ".join(f"{name} {_us(summary.least_us(rows, name))}" for name in names if name != REFERENCE)
    lines = [f"{model}: us a call: {times}"]
    bound = limit(run, model)
    best = {p.ours: p for p in summary.against_best(rows)}
    for mode in MODES:
        pairs = [p for p in summary.ratios(rows) if p.ours == mode.ours]
        if pairs:
            each = ", ".join(f"{p.ratio.value:.2f} × {p.peer} (repeats within {_percent(p.ratio.spread)})" for p in pairs)
            share = f"; {bound.us / summary.least_us(rows, mode.ours):.0%} of the limit" if bound else ""
            lines.append(f"  {mode.ours} {each}; best peer {best[mode.ours].peer}{share}")
    if bound:
        lines.append(f"  limit {_us(bound.us)} us ({bound.bound})")
    rounds = len({row["round"] for row in rows})
    control = summary.controls(rows)
    lines.append(f"  A/A eager against eager {control.value:.3f} (repeats within {_percent(control.spread)}), {rounds} rounds")
    ran = [name for name in names if not summary.failure(rows, name, run["settings"]["dtype"])]
    calls = ", ".join("{} {:.2f}/{:.2f}".format(name, *summary.first_call(rows, name)) for name in ran if name != CONTROL)
    lines.append(f"  first call, s, first process/least: {calls}")
    lines.append("  peak RSS, MiB: " + ", ".join(f"{name} {summary.peak_rss(rows, name):.0f}" for name in ran))
    lines += [f"  {name} does not count: {why}" for name in names if (why := summary.failure(rows, name, run["settings"]["dtype"]))]
    return lines


def overall_lines(run: Run) -> list[str]:
    """Geometric means and worst cases, and the machine's noise."""
    models = {name: entry["rows"] for name, entry in run["models"].items()}
    total = summary.overall(models)
    lines = [
        f"against the best peer: geometric mean {total.geomean:.2f}, worst {total.worst:.2f} ({total.worst_name}), {total.pairs} pairs"
    ]
    for (ours, peer), values in summary.by_peer(models).items():
        lines.append(f"  {ours} against {peer}: geometric mean {geomean(values):.2f}, worst {min(values):.2f}, {len(values)} models")
    aa, spread = summary.noise(models.values())
    lines.append(f"noise: eager against eager within {_percent(aa)}, ratios against the best peer repeat within {_percent(spread)}")
    return lines


def change_lines(new: Run, old: Run | None) -> list[str]:
    """What is faster or slower than in the last run, beyond the noise of both."""
    if old is None:
        return ["no earlier run with these settings on this CPU"]
    when = time.strftime("%Y-%m-%d %H:%M", time.gmtime(old["started"]))
    changes = history.compare(new, old)
    certain = [c for c in changes if c.certain]
    lines = [f"since {when} UTC, commit {old['commit'] or 'unknown'}: {len(certain)} of {len(changes)} ratios changed beyond the noise"]
    lines += [f"  {c.name}: {c.old:.2f} → {c.new:.2f} (noise {_percent(c.noise)})" for c in certain]
    return lines


def table(header: list[str], rows: list[list[str]]) -> list[str]:
    lines = [header, ["---"] + ["--:"] * (len(header) - 1), *rows]
    return ["| " + " | ".join(cells) + " |" for cells in lines]


def markdown(run: Run) -> list[str]:
    """Two tables: latency with ratios, and cost of the first call with memory."""
    models = {name: entry["rows"] for name, entry in run["models"].items()}
    shown = [b for mode in MODES for b in (mode.ours, *mode.peers) if any(b in summary.names(rows) for rows in models.values())]
    modes = [m for m in MODES if m.ours in shown]
    latency, costs = [], []
    for model, rows in models.items():
        bound = limit(run, model)
        best = {p.ours: p for p in summary.against_best(rows)}
        ratios = [f"{best[m.ours].ratio.value:.2f} ({_percent(best[m.ours].ratio.spread)})" if m.ours in best else "–" for m in modes]
        least = f"{_us(bound.us)} {bound.bound}" if bound else "–"
        noise = _percent(summary.difference_of_controls(rows))
        latency.append([model, *(_us(summary.least_us(rows, b)) for b in shown), *ratios, noise, least])
        ours, reference = summary.first_call(rows, "ge"), summary.first_call(rows, REFERENCE)
        memory, least_memory = summary.peak_rss(rows, "ge"), summary.peak_rss(rows, REFERENCE)
        seconds = [_number(t, 2) for t in (ours[1], reference[1], ours[1] / reference[1], summary.first_call(rows, "inductor")[0])]
        costs.append([model, *seconds, _number(memory, 0), _number(least_memory, 0), _number(memory / least_memory, 2)])
    ratio_names = [f"{LABELS.get(m.ours, m.ours)}: × best peer (repeats within)" for m in modes]
    total = summary.overall(models)
    when = time.strftime("%Y-%m-%d", time.gmtime(run["started"]))
    header = ["first call, s", "ge", "aot_eager", "ratio", "inductor, cold", "peak RSS, MiB: ge", "aot_eager", "ratio"]
    return [
        f"{when}, {run['settings']['dtype']}. {machine(run)}.",
        f"{peaks(run)[0].upper()}{peaks(run)[1:]}.",
        "",
        *table(["us a call", *(LABELS.get(b, b) for b in shown), *ratio_names, "A/A", "limit"], latency),
        "",
        f"Against the best peer: geometric mean **{total.geomean:.2f}**, worst **{total.worst:.2f}** ({total.worst_name}).",
        *[f"- {line.strip()}" for line in overall_lines(run)[1:]],
        "",
        *table(header, costs),
    ]
