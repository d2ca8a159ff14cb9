"""Runs that were kept: one JSON file a run, in a folder a machine, and how a new run compares with the last."""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import math
import os
import re
import subprocess
import time
from pathlib import Path
from typing import Any, NamedTuple

from harness import summary

ROOT = Path(__file__).resolve().parents[3]
KEPT = ROOT / ".cache" / "bench"  # survives `make clean` and `make distclean`
Run = dict[str, Any]


def folder(machine: dict[str, Any], base: Path = KEPT) -> Path:
    """Where runs of this CPU are: its name, cores and flags decide."""
    slug = re.sub(r"[^a-z0-9]+", "-", machine["cpu"].lower()).strip("-")
    digest = hashlib.sha256(json.dumps([machine["flags"], machine["cores"]]).encode()).hexdigest()[:8]
    return base / f"{slug}-{machine['cores']}-{digest}"


def commit() -> str:
    """The checkout's commit, marked where files differ from it; empty outside of git."""
    done = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip()


def start(machine: dict[str, Any], settings: dict[str, Any]) -> Run:
    """The head of a run: where, when, of what, how, and how busy the machine was."""
    versions = {"commit": commit(), "torch": importlib.metadata.version("torch")}
    return {"started": time.time(), **versions, "machine": machine, "settings": settings, "load": os.getloadavg()[0]}


def save(run: Run, kind: str, base: Path = KEPT) -> Path:
    """Keeps a run of a kind ("speed", "kernels"); names sort by time."""
    where = folder(run["machine"], base)
    where.mkdir(parents=True, exist_ok=True)
    path = where / f"{kind}-{time.strftime('%Y%m%d-%H%M%S', time.gmtime(run['started']))}.json"
    path.write_text(json.dumps(run, indent=1) + "\n")
    return path


def last(run: Run, kind: str, base: Path = KEPT) -> Run | None:
    """The newest earlier run on the same CPU with the same settings; unreadable files do not count."""
    for path in sorted(folder(run["machine"], base).glob(f"{kind}-*.json"), reverse=True):
        try:
            old = json.loads(path.read_text())
            if old["started"] < run["started"] and old["settings"] == run["settings"]:
                return dict(old)
        except (OSError, ValueError, KeyError, TypeError):
            continue
    return None


class Change(NamedTuple):
    name: str
    old: float
    new: float
    noise: float  # what the two runs say of themselves, added up

    @property
    def certain(self) -> bool:
        """The change is larger than the noise; where that is unknown, nothing is certain."""
        return abs(self.new / self.old - 1) > self.noise


def compare(new: Run, old: Run) -> list[Change]:
    """Every ratio that both runs have. A ratio's noise is its spread, or the A/A difference where that is larger, in both runs."""

    def table(run: Run) -> dict[str, tuple[float, float]]:
        found = {}
        for model, entry in run["models"].items():
            control = summary.difference_of_controls(entry["rows"])
            for p in summary.ratios(entry["rows"]):
                spread = math.nan if math.isnan(p.ratio.spread) else max(p.ratio.spread, control)
                found[f"{model}: {p.ours} against {p.peer}"] = (p.ratio.value, spread)
        return found

    before, after = table(old), table(new)
    return [Change(name, before[name][0], value, before[name][1] + noise) for name, (value, noise) in after.items() if name in before]
