"""Runs a long test campaign in shards and goes on where it stopped.

    shards.py NAME [--count N | --over "COMMAND"] [--fresh] -- COMMAND...
    shards.py NAME --build DIR [--cpp-tests] [--fuzz SECONDS] [--fresh]

First form: COMMAND once a shard, with GE_SHARD_INDEX and GE_SHARD_COUNT in the environment (tests.tools.pytest_shard
reads them), or, with --over, once for every line that another command prints, as GE_SHARD_NAME and in place of `{}`.
Second form: the sanitizer campaigns; every C++ test binary is a shard, and so are the parser fuzzers, minute by minute.

What passed is recorded in build/shards/NAME.json and not run again while the sources stay the same; a shard that failed
is run again. Ctrl-C is safe at any time. Exit code 1 if a shard failed.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "ci"))
from run_tests import SANITIZER_ENV  # noqa: E402

SOURCES = ("ge_core", "npu_runtime", "host_kernels", "torch_backend", "tests", "CMakeLists.txt")


def source_key() -> str:
    """A digest of everything that can change a result."""
    digest = hashlib.sha256()
    for top in SOURCES:
        paths = [ROOT / top] if (ROOT / top).is_file() else sorted(p for p in (ROOT / top).rglob("*") if p.is_file() and not p.is_symlink())
        for path in paths:
            if path.suffix not in (".pyc", ".so"):
                digest.update(str(path.relative_to(ROOT)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


class Record:
    """build/shards/NAME.json: the source key and, by shard, seconds and outcome."""

    def __init__(self, name: str, key: str, fresh: bool) -> None:
        self.path = ROOT / "build" / "shards" / f"{name}.json"
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.data: dict = {"key": key, "shards": {}}
        if not fresh and self.path.exists():
            old = json.loads(self.path.read_text(encoding="utf-8"))
            if old.get("key") == key:
                self.data = old
            else:
                print(f"{self.path.relative_to(ROOT)} belongs to other sources: starting over")

    def passed(self, shard: str) -> bool:
        return self.data["shards"].get(shard, {}).get("code") == 0

    def add(self, shard: str, code: int, seconds: float) -> None:
        self.data["shards"][shard] = {"code": code, "seconds": round(seconds, 1)}
        part = self.path.with_suffix(".part")  # a kill in the middle leaves the old file whole
        part.write_text(json.dumps(self.data, indent=1) + "\n", encoding="utf-8")
        part.replace(self.path)


def campaign(arguments: argparse.Namespace) -> list[tuple[str, list[str], dict[str, str]]]:
    """The shards: name, command, extra environment."""
    if arguments.build:
        binaries = ROOT / arguments.build / "bin"
        shards = []
        if arguments.cpp_tests:
            shards += [(b.name, [str(b), "--gtest_brief=1"], SANITIZER_ENV) for b in sorted(binaries.glob("*_tests"))]
        for minute in range(arguments.fuzz // 60):
            for fuzzer in ("text-fuzz", "proto-fuzz"):
                command = [str(binaries / fuzzer), "--seconds", "60", "--seed", str(1000 + minute)]
                shards.append((f"{fuzzer}-{minute}", command, SANITIZER_ENV))
        return shards
    command = arguments.command
    if not command:
        return []
    if arguments.over:
        names = subprocess.run(arguments.over, shell=True, check=True, text=True, stdout=subprocess.PIPE, cwd=ROOT).stdout.split()
        return [(n, [part.replace("{}", n) for part in command], {"GE_SHARD_NAME": n}) for n in names]
    if "pytest" in command:
        command = [*command, "-p", "tests.tools.pytest_shard"]
    count = str(arguments.count)
    return [(f"{i}/{count}", command, {"GE_SHARD_INDEX": str(i), "GE_SHARD_COUNT": count}) for i in range(arguments.count)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name")
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("--over", help="a shell command that prints one shard name a line")
    parser.add_argument("--build", help="build folder of the sanitizer campaigns")
    parser.add_argument("--cpp-tests", action="store_true")
    parser.add_argument("--fuzz", type=int, default=0, metavar="SECONDS", help="for each fuzzer, in shards of a minute")
    parser.add_argument("--fresh", action="store_true", help="forget what has passed")
    # argparse cannot be trusted with "--": everything after it is the command.
    own = sys.argv[1:]
    split = own.index("--") if "--" in own else len(own)
    arguments = parser.parse_args(own[:split])
    arguments.command = own[split + 1 :]
    shards = campaign(arguments)
    if not shards:
        parser.error("nothing to run: give a command after --, or --build with --cpp-tests or --fuzz")
    record = Record(arguments.name, source_key(), arguments.fresh)
    failed = []
    for number, (shard, command, environment) in enumerate(shards, 1):
        if record.passed(shard):
            continue
        print(f"[{arguments.name} {number}/{len(shards)}] {shard}", flush=True)
        start = time.monotonic()
        code = subprocess.run(command, cwd=ROOT, env={**os.environ, **environment}, check=False).returncode
        record.add(shard, code, time.monotonic() - start)
        if code != 0:
            failed.append(shard)
    good = sum(record.passed(s) for s, _, _ in shards)
    print(f"{arguments.name}: shards failed: {', '.join(failed) or 'none'}")
    print(f"{good} passed, {len(shards) - good} failed", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
