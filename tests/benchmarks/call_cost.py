"""What a call costs before any kernel runs: `call_cost.py [MODEL...] [--rounds N] [--seconds S]`, mlp by default.

`floor_dynamo` and `floor_aot` are backends that return stored results: Dynamo's guards alone, and with AOTAutograd's wrapper around a
trivial boxed function. Nobody behind them can be faster. `ge` is ours, `ge_native` our compiled graph called directly with the inputs
that AOTAutograd hands it; `added` is what `ge` costs beyond floor_aot and ge_native. Rounds alternate as in speed.py.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from typing import Any

from harness import machine, process, rounds, summary
from harness.backends import Mode

BACKENDS = ["floor_dynamo", "floor_aot", "ge", "ge_native"]
MODE = Mode("ge", ("floor_dynamo", "floor_aot"))


def lines(model: str, rows: list[dict[str, Any]]) -> list[str]:
    us = {name: summary.least_us(rows, name) for name in BACKENDS}
    text = [f"{model}: " + ", ".join(f"{name} {value:.1f} us" for name, value in us.items())]
    text[0] += f", added {us['ge'] - us['ge_native'] - us['floor_aot']:.1f} us"
    for pair in summary.ratios(rows, (MODE,)):
        text.append(f"  ge takes {1 / pair.ratio.value:.2f} of {pair.peer} (repeats within {pair.ratio.spread:.1%})")
    text.append(f"  A/A eager against eager {summary.controls(rows).value:.3f}, {len({row['round'] for row in rows})} rounds")
    return text + [f"  {name}: {why}" for name in BACKENDS if (why := summary.failure(rows, name))]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", default=["mlp"])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--most-rounds", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=1.0)
    options = parser.parse_args()
    failed = False
    with tempfile.TemporaryDirectory(prefix="ge-bench-") as cache:
        env = process.environment(machine.describe()["cores"], cache)
        for model in options.models:

            def one(backend: str, model: str = model) -> dict[str, Any]:
                return process.run("measure", model, backend, f"--seconds={options.seconds}", env=env)

            rows = rounds.run(BACKENDS, one, rounds.Plan(options.rounds, options.most_rounds, modes=(MODE,)))
            failed |= any("fail" in row for row in rows)
            print("\n".join(lines(model, rows)), flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
