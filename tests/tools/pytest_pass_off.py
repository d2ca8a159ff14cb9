"""pytest plug-in (`-p tests.tools.pytest_pass_off`): runs with the pass that GE_SHARD_NAME names switched off, or, where the
name is O1, O2 or O3, at that level.

Answers must not depend on any single pass or level: `make pass-matrix` runs the bug cases and models once for each.
"""

from __future__ import annotations

import os

import torch_ge


def pytest_configure() -> None:
    name = os.environ.get("GE_SHARD_NAME")
    if not name:
        raise SystemExit("pytest_pass_off: GE_SHARD_NAME must hold the name of a pass, or O1, O2, O3")
    torch_ge.set_options({"ge.oo.level" if name in ("O1", "O2", "O3") else "ge.disableOptimizations": name})
