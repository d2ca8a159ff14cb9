"""Time and memory of the whole pass pipeline on synthetic graphs of 10,000 and 100,000 nodes.

    .venv/bin/python tests/benchmarks/pass_scaling.py [--ge-opt build/bin/ge-opt] [--repeat 5]

Shapes of graphs: `chain` (each node reads the one before), `fan` (one value read by all, summed in a tree), `ladder` (two
rails with rungs), `fold` (a chain of constants that folds to one), `twins` (every expression twice: CSE merges half),
`reshapes` (a chain that cancels). The time is what `ge-opt --pipeline --stats` says of its passes: parsing, printing and
verification are not in it. The two sizes run in turn; prints the median and the least time of each, the factor between the
sizes (of the medians, and of the least times: what other users of the machine add is never negative), and the peak memory a node.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import statistics
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SIZES = (10_000, 100_000)


def chain(n: int) -> Iterator[str]:
    previous = "%x"
    for i in range(n):
        yield f"  %n{i} = {('Relu', 'Neg', 'Abs', 'Sigmoid')[i % 4]}({previous}) : f32[8]"
        previous = f"%n{i}"
    yield f"  return {previous}"


def fan(n: int) -> Iterator[str]:
    leaves = n // 2
    level = []
    for i in range(leaves):
        yield f"  %l{i} = Muls(%x) {{value={i + 1}.0}} : f32[8]"
        level.append(f"%l{i}")
    count = 0
    while len(level) > 1:
        following = []
        for a, b in zip(level[::2], level[1::2], strict=False):
            yield f"  %s{count} = Add({a}, {b}) : f32[8]"
            following.append(f"%s{count}")
            count += 1
        level = following + level[len(level) // 2 * 2 :]
    yield f"  return {level[0]}"


def ladder(n: int) -> Iterator[str]:
    left = right = "%x"
    for i in range(n // 2):
        yield f"  %a{i} = Add({left}, {right}) : f32[8]"
        yield f"  %b{i} = Mul({left}, %a{i}) : f32[8]"
        left, right = f"%a{i}", f"%b{i}"
    yield f"  return {left}, {right}"


def fold(n: int) -> Iterator[str]:
    yield "  %c = Const [1, 2, 3, 4, 5, 6, 7, 8] : f32[8]"
    previous = "%c"
    for i in range(n - 2):
        yield f"  %n{i} = {('Relu', 'Neg', 'Abs')[i % 3]}({previous}) : f32[8]"
        previous = f"%n{i}"
    yield f"  %y = Add(%x, {previous}) : f32[8]"
    yield "  return %y"


def twins(n: int) -> Iterator[str]:
    left = right = "%x"
    for i in range(n // 2):
        yield f"  %a{i} = Muls({left}) {{value={i + 1}.0}} : f32[8]"
        yield f"  %b{i} = Muls({right}) {{value={i + 1}.0}} : f32[8]"
        left, right = f"%a{i}", f"%b{i}"
    yield f"  %y = Sub({left}, {right}) : f32[8]"
    yield "  return %y"


def reshapes(n: int) -> Iterator[str]:
    yield "  %p = Const [2, 4] : i64[2]"
    yield "  %q = Const [8] : i64[1]"
    previous = "%x"
    for i in range(n - 3):
        operand, shape = (("%p", "2,4"), ("%q", "8"))[i % 2]
        yield f"  %n{i} = Reshape({previous}, {operand}) : f32[{shape}]"
        previous = f"%n{i}"
    yield f"  %y = Relu({previous}) : f32[{'8' if (n - 3) % 2 == 0 else '2,4'}]"
    yield "  return %y"


GRAPHS = {f.__name__: f for f in (chain, fan, ladder, fold, twins, reshapes)}


def run(ge_opt: Path, file: Path) -> tuple[float, float, str]:
    """Seconds in the passes, peak memory in KiB, and how the node count went."""
    with subprocess.Popen(
        [ge_opt, file, "--pipeline", "--stats", "--verify-only"], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stderr
        text = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"ge-opt failed on {file}:\n{text}")
    found = re.search(r"^passes: ([\d.]+) s", text, re.M)
    assert found, text
    counts = re.findall(r"(\d+) -> (\d+) nodes", text)
    return float(found[1]), float(usage.ru_maxrss), f"{counts[0][0]} -> {counts[-1][1]}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ge-opt", type=Path, default=ROOT / "build/bin/ge-opt")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--graphs", nargs="*", default=list(GRAPHS))
    args = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    print(f"{'graph':10} " + " ".join(f"{n:>8} nodes [s]: median  least" for n in SIZES) + "   factor: median  least   B a node   nodes")
    with tempfile.TemporaryDirectory() as folder:
        for name in args.graphs:
            files = [Path(folder) / f"{name}{size}.ge" for size in SIZES]
            for file, size in zip(files, SIZES, strict=True):
                file.write_text("\n".join([f"graph @{name}(%x: f32[8]) {{", *GRAPHS[name](size), "}", ""]))
            rounds = [[run(args.ge_opt, file) for file in files] for _ in range(args.repeat)]
            runs = list(zip(*rounds, strict=True))  # by size
            medians = [statistics.median(r[0] for r in of_size) for of_size in runs]
            least = [min(r[0] for r in of_size) for of_size in runs]
            memory = [max(r[1] for r in of_size) for of_size in runs]
            per_node = (memory[1] - memory[0]) * 1024 / (SIZES[1] - SIZES[0])
            times = " ".join(f"{m:26.4f} {x:6.4f}" for m, x in zip(medians, least, strict=True))
            print(f"{name:10} {times}   {medians[1] / medians[0]:14.1f} {least[1] / least[0]:6.1f}   {per_node:8.0f}   {runs[1][0][2]}")


if __name__ == "__main__":
    main()
