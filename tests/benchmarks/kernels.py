"""Single kernels of our engines against the limits of the machine: runs build-bench/bin/kernel-bench.

    kernels.py [--filter REGEX] [--quick] [--json FILE] [--markdown] [--binary FILE]

The machine's peaks are measured first. Each kernel runs --repetitions times, mixed at random with the others; the least time counts.
Runs are kept in .cache/bench and compared with the last one of the same CPU. `make bench` builds the binary.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from harness import history, kernels, machine, process, report

ROOT = Path(__file__).resolve().parents[2]


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", type=Path, default=ROOT / "build-bench" / "bin" / "kernel-bench")
    parser.add_argument("--filter", default=".", help="which kernels: a regular expression")
    parser.add_argument("--seconds", type=float, default=0.1, help="of each repetition (default 0.1)")
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--quick", action="store_true", help="two repetitions of 0.01 s: to see that all runs, not for figures")
    parser.add_argument("--json", type=Path, help="write the run here too")
    parser.add_argument("--markdown", action="store_true", help="print the tables of docs/benchmarks.md at the end")
    options = parser.parse_args()
    if options.quick:
        options.seconds, options.repetitions = 0.01, 2
    if not options.binary.exists():
        parser.error(f"{options.binary} is not built: make bench, or cmake with -DGE_BENCH=ON")
    return options


def measure(options: argparse.Namespace) -> dict[str, Any]:
    kept = machine.describe()
    run = history.start(kept, {"seconds": options.seconds, "repetitions": options.repetitions})
    with tempfile.TemporaryDirectory(prefix="ge-bench-") as folder:
        env = process.environment(kept["cores"], folder)
        run["peaks"] = process.peaks(0.2 if options.quick else 1.0, env)
        print(report.head(run), flush=True)
        result = Path(folder) / "result.json"
        command = [str(options.binary), f"--threads={kept['cores']}", *kernels.peak_flags(run["peaks"])]
        command += [f"--benchmark_filter={options.filter}", f"--benchmark_min_time={options.seconds}"]
        command += [f"--benchmark_repetitions={options.repetitions}", "--benchmark_enable_random_interleaving=true"]
        command += [f"--benchmark_out={result}", "--benchmark_out_format=json"]
        done = subprocess.run(command, env=env, stdout=subprocess.DEVNULL, check=False)
        if done.returncode:
            raise SystemExit(f"{options.binary.name}: exit code {done.returncode}")
        run["kernels"] = kernels.best(json.loads(result.read_text())["benchmarks"])
    return run


def main() -> int:
    options = parse()
    run = measure(options)
    print("\n".join(kernels.lines(run)))
    print("\n".join(kernels.change_lines(run, history.last(run, "kernels"))))
    print(f"kept as {history.save(run, 'kernels')}")
    if options.json:
        options.json.write_text(json.dumps(run, indent=1) + "\n")
    if options.markdown:
        print("\n" + "\n".join(kernels.markdown(run)))
    return 1 if any("fail" in row for row in run["kernels"].values()) else 0


if __name__ == "__main__":
    sys.exit(main())
