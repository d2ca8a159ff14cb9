"""Runs the worker in a process of its own, with as many threads as there are cores."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parents[1]


def environment(cores: int, cache: str) -> dict[str, str]:
    """The environment of all workers. `cache`: Inductor's; a folder of the run, so that its first compilation is one."""
    path = os.pathsep.join([str(HERE), *filter(None, [os.environ.get("PYTHONPATH")])])
    threads = {f"{library}_NUM_THREADS": str(cores) for library in ("OMP", "MKL", "OPENBLAS")}
    return {**os.environ, **threads, "PYTHONPATH": path, "TORCHINDUCTOR_CACHE_DIR": cache}


def last_line(stdout: str) -> dict[str, Any] | None:
    """The worker's JSON: libraries may print before it."""
    try:
        row = json.loads(stdout.strip().splitlines()[-1])
    except (IndexError, json.JSONDecodeError):
        return None
    return row if isinstance(row, dict) else None


def run(job: str, *arguments: str, env: dict[str, str], timeout: float = 900.0) -> dict[str, Any]:
    """One job's row; {"fail": why} where it ended otherwise."""
    command = [sys.executable, "-m", "harness.worker", job, *arguments]
    try:
        done = subprocess.run(command, capture_output=True, text=True, env=env, timeout=timeout, check=False)
    except subprocess.TimeoutExpired:
        return {"fail": f"no result in {timeout:.0f} s"}
    return last_line(done.stdout) or {"fail": f"exit code {done.returncode}: {done.stderr[-300:]}"}


def peaks(seconds: float, env: dict[str, str]) -> dict[str, Any]:
    """The machine's peaks (machine.peaks); without them a run cannot begin."""
    found = run("peaks", f"--seconds={seconds}", env=env)
    if "fail" in found:
        raise SystemExit(f"the machine's peaks could not be measured: {found['fail']}")
    return found
