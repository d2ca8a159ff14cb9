"""Stages of `make test`: runs them in order, prints seconds per stage against the budget, fails when one fails.

    .venv/bin/python tests/ci/run_tests.py [STAGE ...]      all stages, or those whose names are given

A failed stage does not stop the later ones unless they need its result; the exit code is 1 in the end. The full output
of each stage is also in build/test-logs/. Only the standard library is used.
"""

from __future__ import annotations

import argparse
import dataclasses
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LOGS = ROOT / "build" / "test-logs"
ASAN = ROOT / "build-asan" / "bin"
BUDGET_MINUTES = 26.0
# Most of a test is tracing and compiling, in one thread: as many workers as cores, one thread each (tests/conftest.py).
WORKERS = os.cpu_count() or 1

SANITIZER_ENV = {
    # intercept_tls_get_addr=0: GCC 12's guess where the thread-locals of opened libraries lie is wrong for some of oneDNN's,
    # and the leak check then dies reading there. They are heap blocks and are checked as such.
    "ASAN_OPTIONS": "detect_leaks=1:strict_string_checks=1:detect_stack_use_after_return=1:check_initialization_order=1:abort_on_error=0"
    ":intercept_tls_get_addr=0",
    "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
    "LSAN_OPTIONS": f"suppressions={ROOT}/tests/ci/lsan.supp:print_suppressions=0",
}


@dataclasses.dataclass
class Command:
    argv: list[str]
    env: dict[str, str] = dataclasses.field(default_factory=dict)
    timeout: float = 1800.0


@dataclasses.dataclass
class Stage:
    name: str
    budget: float  # minutes
    commands: Callable[[], list[Command]]
    parallel: int = 1  # commands at a time
    needs: tuple[str, ...] = ()
    seconds: float = 0.0
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    verdict: str = "not run"


class Missing(Exception):
    """What a stage runs is not there."""


def pytest(*arguments: str) -> Command:
    workers = ["-n", str(WORKERS), "--dist", "worksteal"] if WORKERS > 1 else []
    return Command([sys.executable, "-m", "pytest", "--color=no", "--durations=5", *workers, *arguments])


def pytest_folder(folder: str, options: str = "") -> Callable[[], list[Command]]:
    """The folder's tests; `options` hold for every compile (tests/conftest.py)."""

    def commands() -> list[Command]:
        if not list((ROOT / folder).rglob("test_*.py")):
            raise Missing(f"{folder} has no test_*.py")
        command = pytest(folder)
        if options:
            command.env["GE_TEST_OPTIONS"] = options
        return [command]

    return commands


def sanitizer_build() -> list[Command]:
    options = ["-DGE_SANITIZE=ON", "-DGE_TORCH=OFF", "-DGE_TESTS=ON", "-DGE_FUZZ=ON"]
    return [Command(["tests/ci/build.sh", "build-asan", *options])]


def cpp_tests() -> list[Command]:
    binaries = sorted(ASAN.glob("*_tests"))
    expected = {"ge_core_tests", "host_kernels_tests", "npu_runtime_tests"}
    absent = expected - {b.name for b in binaries}
    if absent:
        raise Missing(f"no {', '.join(sorted(absent))} in {ASAN.relative_to(ROOT)}")
    return [Command([str(b), "--gtest_brief=1"], SANITIZER_ENV) for b in binaries]


def fuzzers() -> list[Command]:
    commands = []
    for name in ("text-fuzz", "proto-fuzz"):
        binary = ASAN / name
        if not binary.exists():
            raise Missing(f"no {name} in {ASAN.relative_to(ROOT)}")
        # New seeds every run: a crash prints its seed and input, so it can be repeated.
        seed = int(time.time())
        commands += [Command([str(binary), "--seconds", "15", "--seed", str(seed + i)], SANITIZER_ENV, timeout=90) for i in range(2)]
    return commands


STAGES = [
    Stage("release-build", 6, lambda: [Command(["tests/ci/build.sh"])]),
    Stage("sanitizer-build", 7, sanitizer_build),
    Stage("cpp-tests", 1.5, cpp_tests, parallel=WORKERS, needs=("sanitizer-build",)),
    Stage("fuzz", 0.5, fuzzers, parallel=2, needs=("sanitizer-build",)),
    Stage("python-tests", 4, pytest_folder("tests/python"), needs=("release-build",)),
    Stage("bug-cases", 0.5, pytest_folder("tests/cases"), needs=("release-build",)),
    Stage("bug-cases-on-sim", 1, pytest_folder("tests/cases", "ge.exec.device=sim"), needs=("release-build",)),
    Stage("models", 1.5, pytest_folder("tests/models"), needs=("release-build",)),
    Stage("op-db-sample", 1, pytest_folder("tests/conformance"), needs=("release-build",)),
]


def run_command(command: Command, log: Path, echo: threading.Lock) -> tuple[int, str]:
    """Runs one command with its output on the console and in `log`; returns exit code and output."""
    lines: list[str] = []
    # A process group of its own, so that a hanging test's children end with it.
    process = subprocess.Popen(
        command.argv,
        cwd=ROOT,
        env={**os.environ, **command.env},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
    )

    def kill() -> None:
        lines.append(f"TIMEOUT after {command.timeout:.0f} s: {' '.join(command.argv)}\n")
        os.killpg(process.pid, signal.SIGKILL)

    timer = threading.Timer(command.timeout, kill)
    timer.start()
    try:
        assert process.stdout is not None
        for line in process.stdout:
            lines.append(line)
            with echo:
                sys.stdout.write(line)
                sys.stdout.flush()
        code = process.wait()
    finally:
        timer.cancel()
    text = "".join(lines)
    with echo, log.open("a", encoding="utf-8") as out:
        out.write(f"$ {' '.join(command.argv)}\n{text}exit code {code}\n")
    return code, text


def count(stage: Stage, code: int, text: str) -> None:
    """Adds the test counts of one command's output (pytest and GoogleTest closing lines; else the command is the test)."""
    summary = re.findall(r"^=*\s*((?:\d+ \w+(?:, )?)+) in [\d.]+s", text, re.MULTILINE)
    gtest_passed = re.findall(r"^\[  PASSED  \] (\d+) test", text, re.MULTILINE)
    if summary:
        numbers = {word: int(n) for n, word in re.findall(r"(\d+) (\w+)", summary[-1])}
        stage.passed += numbers.get("passed", 0) + numbers.get("xfailed", 0)
        failed = numbers.get("failed", 0) + numbers.get("error", 0) + numbers.get("errors", 0) + numbers.get("xpassed", 0)
        stage.skipped += numbers.get("skipped", 0)
    elif gtest_passed:
        stage.passed += int(gtest_passed[-1])
        failed = sum(int(n) for n in re.findall(r"^\[  FAILED  \] (\d+) tests?, listed", text, re.MULTILINE))
        stage.skipped += sum(int(n) for n in re.findall(r"^\[  SKIPPED \] (\d+) test", text, re.MULTILINE))
    else:
        failed = 0
        stage.passed += code == 0
    # A crash, a timeout or "no tests collected" is a failure even if no test says so.
    stage.failed += max(failed, 1 if code != 0 else 0)


def run_stage(stage: Stage, done: dict[str, Stage]) -> None:
    blocked = [n for n in stage.needs if n in done and done[n].verdict != "ok"]
    print(f"\n=== {stage.name} ===", flush=True)
    start = time.monotonic()
    if blocked:
        stage.verdict, stage.failed = f"not run: {blocked[0]} failed", 1
        print(stage.verdict)
        return
    try:
        commands = stage.commands()
    except Missing as missing:
        stage.verdict, stage.failed = f"nothing to run: {missing}", 1
        print(stage.verdict)
        return
    log = LOGS / f"{stage.name}.log"
    log.unlink(missing_ok=True)
    echo, results, queue = threading.Lock(), [], list(commands)

    def worker() -> None:
        while True:
            with echo:
                if not queue:
                    return
                command = queue.pop(0)
            results.append(run_command(command, log, echo))

    threads = [threading.Thread(target=worker) for _ in range(min(stage.parallel, len(commands)))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for code, text in results:
        count(stage, code, text)
    stage.seconds = time.monotonic() - start
    stage.verdict = "ok" if stage.failed == 0 and len(results) == len(commands) else f"FAILED, see {log.relative_to(ROOT)}"
    print(f"--- {stage.name}: {stage.seconds:.0f} s of {stage.budget * 60:.0f}, {stage.verdict}", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("stages", nargs="*", metavar="STAGE", help=", ".join(s.name for s in STAGES))
    parser.add_argument("--started", type=float, default=None, help="when set-up began (seconds since the epoch)")
    arguments = parser.parse_args()
    known = {s.name: s for s in STAGES}
    for name in arguments.stages:
        if name not in known:
            parser.error(f"no stage {name!r}; there are {', '.join(known)}")
    LOGS.mkdir(parents=True, exist_ok=True)

    setup = Stage("set-up", 4, list, verdict="ok", seconds=time.time() - arguments.started if arguments.started else 0.0)
    selected = [s for s in STAGES if not arguments.stages or s.name in arguments.stages]
    done: dict[str, Stage] = {}
    for stage in selected:
        run_stage(stage, done)
        done[stage.name] = stage

    rows = [setup, *selected]
    print(f"\n{'stage':<16} {'seconds':>8} {'budget':>7} {'passed':>7} {'failed':>7} {'skipped':>8}  verdict")
    for row in rows:
        print(f"{row.name:<16} {row.seconds:>8.1f} {row.budget * 60:>7.0f} {row.passed:>7} {row.failed:>7} {row.skipped:>8}  {row.verdict}")
    total = sum(r.seconds for r in rows)
    over = "" if total <= BUDGET_MINUTES * 60 else "  OVER BUDGET"
    print(f"{'total':<16} {total:>8.1f} {BUDGET_MINUTES * 60:>7.0f}   ({total / 60:.1f} of {BUDGET_MINUTES:.0f} minutes){over}")
    failed = sum(r.failed for r in rows)
    print(f"{sum(r.passed for r in rows)} passed, {failed} failed, {sum(r.skipped for r in rows)} skipped", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
