"""A timeline of what compiled models do: `torch_ge.trace`."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

from . import _C


@contextlib.contextmanager
def trace(path: str | os.PathLike[str]) -> Iterator[None]:
    """Writes a timeline of every task that compiled models run inside the `with` block, in all threads, to `path`.

    The file is JSON for https://ui.perfetto.dev or Chrome's about://tracing: one event a task, with the operator as its
    name and node, graph, engine, stream, bytes read and written, and Python line as its arguments. It is also written if
    the block raises. The first million tasks are kept. RuntimeError: another trace is running; OSError: `path` cannot be
    written, noticed before the block runs.

        with torch_ge.trace("run.json"):
            model(x)
    """
    with open(path, "w", encoding="utf-8") as file:
        _C.start_trace()
        try:
            yield
        finally:
            file.write(_C.stop_trace())
