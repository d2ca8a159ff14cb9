"""Zoo models under every installed peer: alternating rounds, each measurement in a process of its own.

    speed.py [--models mlp,unet] [--backends ge,inductor] [--dtype bf16] [--quick] [--json FILE] [--markdown]
             [--need-geomean X] [--need-min X] [--need-first-call X]
    speed.py --show FILE [--markdown]        # a kept run again, nothing is measured

Ratios compare like with like: ge (through torch.compile) with eager and Inductor, ge_direct (without Dynamo) with the sessions of
ONNX Runtime and OpenVINO. docs/benchmarks.md says how they are made. Runs are kept in .cache/bench and compared with the last one of
the same CPU. Exit code 1 where a wanted ratio is missed, or where ours fails.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from harness import history, machine, models, process, report, rounds, summary
from harness.backends import BACKENDS, REFERENCE, default_names

Run = dict[str, Any]


def parse(argv: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", help="names with commas; default: all")
    parser.add_argument("--backends", help="names with commas; default: all installed. eager is always among them")
    parser.add_argument("--dtype", choices=models.DTYPES, default="f32")
    parser.add_argument("--rounds", type=int, default=3, help="of every model (default 3)")
    parser.add_argument("--most-rounds", type=int, default=9, help="where eager differs from eager, or ratios do not repeat (default 9)")
    parser.add_argument("--seconds", type=float, default=2.0, help="of calls in each process (default 2)")
    parser.add_argument("--quick", action="store_true", help="two rounds of 0.3 s: to see that all runs, not for figures")
    parser.add_argument("--json", type=Path, help="write the run here too")
    parser.add_argument("--markdown", action="store_true", help="print the tables of docs/benchmarks.md at the end")
    parser.add_argument("--show", type=Path, metavar="FILE", help="report a kept run")
    parser.add_argument("--need-geomean", type=float, default=0.0, help="against the best peers")
    parser.add_argument("--need-min", type=float, default=0.0, help="the worst ratio")
    parser.add_argument("--need-first-call", type=float, default=0.0, help="the most that ge's first call may take, in aot_eager's")
    options = parser.parse_args(argv)
    if options.quick:
        options.rounds, options.most_rounds, options.seconds = 2, 2, 0.3
    known = models.names()
    options.models = options.models.split(",") if options.models else known
    options.backends = options.backends.split(",") if options.backends else None
    for name in options.models:
        if name not in known:
            parser.error(f"no model {name!r}; there are {', '.join(known)}")
    for name in options.backends or []:
        if name not in BACKENDS:
            parser.error(f"no backend {name!r}; there are {', '.join(BACKENDS)}")
        if not BACKENDS[name].installed() or options.dtype not in BACKENDS[name].dtypes:
            parser.error(f"backend {name!r} is not installed, or does not run {options.dtype}")
    return options


def measure(options: argparse.Namespace, kept: dict[str, Any]) -> Run:
    """The whole run; prints each model as it is done. `kept`: the machine."""
    settings = {key: getattr(options, key) for key in ("dtype", "rounds", "most_rounds", "seconds")}
    run: Run = {**history.start(kept, settings), "models": {}}
    plan = rounds.Plan(options.rounds, options.most_rounds)
    asked = options.backends or default_names(options.dtype)
    with tempfile.TemporaryDirectory(prefix="ge-bench-") as cache:
        env = process.environment(kept["cores"], cache)
        run["peaks"] = process.peaks(0.2 if options.quick else 1.0, env)
        print(report.head(run), flush=True)
        for model in options.models:

            def one(backend: str, model: str = model) -> dict[str, Any]:
                seconds = 0.0 if backend == REFERENCE else options.seconds
                row = process.run("measure", model, backend, f"--dtype={options.dtype}", f"--seconds={seconds}", env=env)
                return {"dtype": options.dtype, **row}

            counted = process.run("work", model, f"--dtype={options.dtype}", env=env)
            run["models"][model] = {"work": counted, "rows": rounds.run(asked, one, plan)}
            history.save(run, "speed")  # a run that is stopped keeps what it has
            print("\n".join(report.model_lines(run, model)), flush=True)
    return run


def missed(run: Run, options: argparse.Namespace) -> list[str]:
    """What was wanted and is not so."""
    rows = {name: entry["rows"] for name, entry in run["models"].items()}
    total = summary.overall(rows)
    found = [f"failed: {failure}" for failure in summary.our_failures(rows)]
    # written so that NaN, no pairs at all, misses too
    if options.need_geomean and not total.geomean >= options.need_geomean:
        found.append(f"geometric mean {total.geomean:.2f}, wanted {options.need_geomean:g}")
    if options.need_min and not total.worst >= options.need_min:
        found.append(f"worst {total.worst:.2f} ({total.worst_name}), wanted {options.need_min:g}")
    for model, of_model in rows.items() if options.need_first_call else ():
        ratio = summary.first_call(of_model, "ge")[1] / summary.first_call(of_model, REFERENCE)[1]
        if not ratio <= options.need_first_call:
            found.append(f"{model}: first call {ratio:.2f} of aot_eager's, wanted {options.need_first_call:g}")
    return found


def main() -> int:
    options = parse()
    if options.show:
        run = json.loads(options.show.read_text())
        for name in run["models"]:
            print("\n".join(report.model_lines(run, name)))
    else:
        run = measure(options, machine.describe())
        print("\n".join(report.change_lines(run, history.last(run, "speed"))))
        print(f"kept as {history.save(run, 'speed')}")
        if options.json:
            options.json.write_text(json.dumps(run, indent=1) + "\n")
    print("\n".join(report.overall_lines(run)))
    if options.markdown:
        print("\n" + "\n".join(report.markdown(run)))
    problems = missed(run, options)
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
