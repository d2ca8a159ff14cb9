"""pytest plug-in (`-p tests.tools.pytest_pass_off`): the pass that GE_SHARD_NAME names never runs.

Answers must not depend on any single pass: `make pass-matrix` runs the bug cases and models once for each pass.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from torch_ge.config import CompilerConfig

KEY = "ge.disableOptimizations"


def pytest_configure() -> None:
    name = os.environ.get("GE_SHARD_NAME")
    if not name:
        raise SystemExit("pytest_pass_off: GE_SHARD_NAME must hold the name of a pass")
    original = CompilerConfig.from_torch.__func__  # type: ignore[attr-defined]

    def from_torch(cls: type[CompilerConfig], options: Mapping[str, Any] | None = None, mode: str | None = None) -> CompilerConfig:
        given = dict(options or {})
        given[KEY] = ",".join(filter(None, (given.get(KEY, ""), name)))
        return original(cls, given, mode)

    CompilerConfig.from_torch = classmethod(from_torch)  # type: ignore[method-assign, assignment]
