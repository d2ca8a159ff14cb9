"""Which graphs have been compiled: what `explain` reads. Holds no compiled graph alive."""

from __future__ import annotations

import contextlib
import threading
import weakref
from collections.abc import Iterator
from typing import Any

import torch

_lock = threading.Lock()
_collectors: list[list[dict[str, Any]]] = []
_current = threading.local()


def label_of(gm: torch.fx.GraphModule) -> str:
    """A name for the Dynamo graph: the file and line of its first traced call."""
    for node in gm.graph.nodes:
        trace = node.meta.get("stack_trace")
        if node.op in ("call_function", "call_method", "call_module") and trace:
            lines = [line.strip() for line in trace.splitlines() if line.strip().startswith("File ")]
            if lines:
                return lines[-1]
    return "<graph>"


def record(compiled: Any, kind: str, label: str) -> None:
    """Notes one compiled graph: for the collectors that are open, and for the callable under construction."""
    entry = {"kind": kind, "label": label, **compiled.report}
    with _lock:
        for collector in _collectors:
            collector.append(entry)
    reports = getattr(_current, "reports", None)
    if reports is None:
        reports = _current.reports = []
    reports.append(entry)


def attach(fn: Any) -> Any:
    """Gives the callable that AOTAutograd returned the reports of the graphs made for it since the last attach."""
    reports = getattr(_current, "reports", None) or []
    _current.reports = []
    with contextlib.suppress(AttributeError, TypeError):
        fn._ge_reports = reports
    return fn


@contextlib.contextmanager
def collect() -> Iterator[list[dict[str, Any]]]:
    """Collects the reports of every graph compiled inside the `with` block, backward graphs included."""
    found: list[dict[str, Any]] = []
    with _lock:
        _collectors.append(found)
    try:
        yield found
    finally:
        with _lock:
            _collectors.remove(found)


__all__ = ["attach", "collect", "label_of", "record", "weakref"]
